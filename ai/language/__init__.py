"""Words, stems, numbers, dates and names as people write them. Pure, and below everything else."""

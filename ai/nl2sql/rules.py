"""The rules: which runs of phrases say what. Read from top to bottom; a phrase belongs to the first rule that reads it.

Conditions come first, because phrases that are read are stepped over: "which iOS app has the most reviews" is then
"which app has the most reviews".
"""

from ai.nl2sql import conditions as where
from ai.nl2sql import figures as what
from ai.nl2sql import periods as when
from ai.nl2sql.parse import Rule

LIMITS = (
    Rule("next", what.next_one),
    Rule("number adjective entity:table|column", what.most_adjective),
    Rule("adjective entity:table|column", what.most_adjective),
    Rule("entity:table|column adjective", what.most_adjective),
    Rule("top number", what.first_few),
    Rule("number top", what.first_few),
    Rule("top", what.all_ranked),
)

CONDITIONS = (
    Rule("column between number high:number", where.number_between),
    Rule("column between number and high:number", where.number_between),
    Rule("aggregate column compare number", where.compare_column),
    Rule("column compare number", where.compare_column),
    Rule("column not compare number", where.not_compare),
    Rule("compare column number", where.compare_column),
    Rule("number compare table", where.or_more_rows),
    Rule("column number and second:number", where.one_of_numbers),
    Rule("compare number column", where.compare_column),
    Rule("compare number table", where.compare_rows),
    Rule("column compare literal:literal|unknown", where.compare_text),
    Rule("column not? number", where.is_number),
    Rule("compare number", where.compare_only),
    Rule("number column", where.is_number),
    Rule("none table", where.absent_table),
    Rule("none column", where.absent_column),
    Rule("none value", where.absent_value),
    Rule("column date", when.in_period_of),
    Rule("not? column", when.participle),
    Rule("date and second:date", when.in_period),
    Rule("date", when.in_period),
    Rule("column not? value and second:value", where.is_value),
    Rule("column not? value", where.is_value),
    Rule("not? value column", where.is_value),
    Rule("not? value second:value and third:value", where.is_value),
    Rule("not? value and second:value", where.is_value),
    Rule("not? value", where.is_value),
    Rule("not table", where.not_related),
    Rule("column not? literal second:literal third:literal fourth:literal", where.is_literal),
    Rule("not table", where.not_related),
    Rule("column not? literal second:literal third:literal?", where.is_literal),
    Rule("column not? literal", where.is_literal),
)

FIGURES = (
    Rule("aggregate and? then:aggregate and? last:aggregate column and second:column", what.aggregate),
    Rule("aggregate and? then:aggregate and? last:aggregate column", what.aggregate),
    Rule("aggregate and? then:aggregate column", what.aggregate),
    Rule("order aggregate column direction?", what.sort_by),
    Rule("order count table direction?", what.sort_by_count),
    Rule("order count direction?", what.sort_by_count),
    Rule("order column direction?", what.sort_by),
    Rule("order aggregate direction?", what.sort_by_figure),
    Rule("order direction column", what.sort_by),
    Rule("direction order", what.sort_by_name),
    Rule("order direction?", what.sort_by_name),
    Rule("direction column", what.sort_in_order_of),
    Rule("by:group aggregate? column direction?", what.sort_if_sorting),
    Rule("direction", what.sort_again),
    Rule("by:group aggregate? column", what.rank_by),
    Rule("by:group count? table", what.rank_by_rows),
    Rule("entity:table|column most count? table", what.most_rows),
    Rule("entity:table|column most aggregate? column", what.most_of),
    Rule("number? entity:table|column column most", what.does_most),
    Rule("most column entity:table", what.most_done),
    Rule("most owner:table column", what.most_value),
    Rule("most column", what.most_value),
    Rule("column most", what.is_most),
    Rule("group unit", when.group_by_time),
    Rule("group entity:table|column and second:table|column", what.group_by),
    Rule("group entity:table|column", what.group_by),
    Rule("unit", when.group_by_adverb),
    Rule("aggregate column and second:column", what.aggregate),
    Rule("aggregate owner:table column", what.aggregate),
    Rule("aggregate column", what.aggregate),
    Rule("count distinct? table", what.count_rows),
    Rule("count distinct? column", what.count_column),
    Rule("table count", what.count_rows),
    Rule("aggregate table", what.count_rows),
    Rule("count", what.count_found),
)

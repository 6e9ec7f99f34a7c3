# The bot in an image of its own: the lock with its hashes, no compiler, no root.
# Another package index is given with --build-arg PIP_INDEX_URL=…, more packages with --build-arg EXTRAS=model2vec.
FROM python:3.11-slim AS libraries
ARG PIP_INDEX_URL
ARG EXTRAS
COPY requirements/image.txt /tmp/image.txt
RUN python -m venv /opt/venv && /opt/venv/bin/pip install --no-cache-dir --require-hashes --requirement /tmp/image.txt
RUN test -z "$EXTRAS" || /opt/venv/bin/pip install --no-cache-dir $EXTRAS

FROM python:3.11-slim
RUN useradd --system --uid 10001 datathread && install --directory --owner datathread /data
COPY --from=libraries /opt/venv /opt/venv
WORKDIR /app
COPY config.py manifest.yml ./
COPY ai ai
COPY bot bot
RUN python -m compileall -q ai bot config.py
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 DATA_DIR=/data HTTP_PORT=8080 HTTP_HOST=0.0.0.0
USER datathread
VOLUME /data
EXPOSE 8080
HEALTHCHECK --start-period=60s --timeout=10s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8080/healthz')"]
ENTRYPOINT ["python", "-m", "bot"]
CMD ["run"]

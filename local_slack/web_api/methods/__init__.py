"""Web API methods: one module a family, one function a method, one table in `registry`."""

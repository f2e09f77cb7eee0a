"""A model server without a model: it follows a script, or does a small real edit by itself."""

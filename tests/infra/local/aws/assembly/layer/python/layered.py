VALUE = "from the layer"

"""The coding agents that the bridge can drive, behind one seam."""

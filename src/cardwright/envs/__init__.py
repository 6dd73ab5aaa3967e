"""Environments for learning programs: any game behind the interfaces of other libraries.

PettingZoo and Gymnasium come with the extra `envs`, OpenSpiel with `openspiel`. The modules
`pettingzoo` and `gymnasium`, and the package `openspiel`, load them.
"""

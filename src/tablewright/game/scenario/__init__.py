"""Scenarios: fights as files, either shipped with a system as `SYSTEM:NAME` or written by users.

    title: The toll bridge
    system: coinfolk
    options: {tie: defender}
    ground: {kind: grid, size: [12, 8], blocked: ["5,0..5,2"]}
    participants:
      - {character: anna.yaml, side: party, seat: anna, position: "1,2"}
      - {character: bandit, side: bandits, count: 2, position: ["9,2", "9,4"], policy: careful}
    surprise: [party]

A character is the id of a template or creature of the system's content, a file beside the scenario, or a mapping; the
system interprets it later. `like: even` starts from another scenario of the same folder and replaces the given keys.
All problems are reported together, each with file, line and column.
"""

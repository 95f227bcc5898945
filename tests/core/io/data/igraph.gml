Creator "igraph version 1.0.0 Mon Nov 23 12:11:38 2026"
Version 1
graph
[
  directed 1
  node
  [
    id 0
    name "start"
  ]
  node
  [
    id 1
    name "left"
  ]
  node
  [
    id 2
    name "right"
  ]
  node
  [
    id 3
    name "end"
  ]
  edge
  [
    source 0
    target 1
    weight 1
  ]
  edge
  [
    source 0
    target 2
    weight 2
  ]
  edge
  [
    source 1
    target 3
    weight 0.5
  ]
  edge
  [
    source 2
    target 3
    weight 4
  ]
]

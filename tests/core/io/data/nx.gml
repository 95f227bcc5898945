graph [
  directed 1
  node [
    id 0
    label "start"
  ]
  node [
    id 1
    label "left"
  ]
  node [
    id 2
    label "right"
  ]
  node [
    id 3
    label "end"
  ]
  edge [
    source 0
    target 1
  ]
  edge [
    source 0
    target 2
  ]
  edge [
    source 1
    target 3
  ]
  edge [
    source 2
    target 3
  ]
]

// append_labels (WRITE): the labels that appended entries set; null removes one. The label itself is the entry that was
// appended, what is set here is the latest one, for whoever reads the labelled entry.
UNWIND $labels AS label
MATCH (e:Entry {id: label.target})
SET e.label = label.label

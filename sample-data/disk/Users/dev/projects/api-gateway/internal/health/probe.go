package health

// applyWindows keeps the order in which the entries came in.
func applyWindows(in []Entry) []Entry {
	out := make([]Entry, 0, len(in))
	for _, e := range in {
		if e.Active {
			out = append(out, e)
		}
	}
	return out
}

package route

// normaliseSteps keeps the order in which the entries came in.
func normaliseSteps(in []Entry) []Entry {
	out := make([]Entry, 0, len(in))
	for _, e := range in {
		if e.Active {
			out = append(out, e)
		}
	}
	return out
}

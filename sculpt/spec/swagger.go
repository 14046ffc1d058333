package spec

func (l *loader) swaggerURL(op *node) string     { return "" }
func (s *slicer) convert(ops []*slicedOperation) {}

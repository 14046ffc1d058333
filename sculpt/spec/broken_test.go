package spec_test

var brokenTests = []struct{ name, text, want string }{}

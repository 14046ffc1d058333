package export

// The parts of the OpenAPI description that are the same for all tools.

// openapiPaths are the routes of A2T 6 for any tool.
func openapiPaths() object {
	problem := ref("responses", "Problem")
	get := func(id, summary, answer string, unknown bool, parameters ...string) object {
		o := object{{"operationId", id}, {"tags", array{"a2t"}}, {"summary", summary}}
		if len(parameters) > 0 {
			o = o.with("parameters", refs(parameters))
		}
		answers := object{{"200", ref("responses", answer)}, {"304", object{{"description", "It is as If-None-Match says."}}},
			{"400", problem}, {"401", problem}}
		if unknown {
			answers = answers.with("404", problem).with("410", problem)
		}
		return object{{"get", o.with("responses", answers.with("default", problem))}}
	}
	post := func(id, summary string, parameters ...string) object {
		return object{{"post", object{
			{"operationId", id}, {"tags", array{"a2t"}}, {"summary", summary}, {"parameters", refs(parameters)},
			{"requestBody", jsonBody(ref("schemas", "InvokeRequest"))}, {"responses", openapiAnswers(ref("schemas", "InvokeResponse"))},
		}}}
	}
	return object{
		{"/a2t/tools", get("listTools", "The newest version of every tool", "Page", false, "PageCursor", "PageLimit", "Tag")},
		{"/a2t/tools/{toolId}", get("getTool", "The newest version of a tool", "Signature", true, "ToolId")},
		{"/a2t/tools/{toolId}/versions", get("listToolVersions", "Every version of a tool, the newest first", "Page", true, "ToolId", "PageCursor", "PageLimit")},
		{"/a2t/tools/{toolId}/versions/{version}", get("getToolVersion", "One version of a tool", "Signature", true, "ToolId", "Version")},
		{"/a2t/tools/{toolId}:invoke", post("invokeTool", "Call the newest version of a tool", "ToolId", "IdempotencyKey")},
		{"/a2t/tools/{toolId}/versions/{version}:invoke", post("invokeToolVersion", "Call one version of a tool", "ToolId", "Version", "IdempotencyKey")},
	}
}

func refs(names []string) array {
	var list array
	for _, name := range names {
		list = append(list, ref("parameters", name))
	}
	return list
}

func openapiParameters() object {
	parameter := func(name, in, description string, schema object) object {
		o := object{{"name", name}, {"in", in}}
		if in == "path" {
			o = o.with("required", true)
		}
		return o.with("description", description).with("schema", schema)
	}
	text, count := object{{"type", "string"}}, object{{"type", "integer"}, {"minimum", 1}}
	return object{
		{"ToolId", parameter("toolId", "path", "The UUID of the tool.", text.with("format", "uuid"))},
		{"Version", parameter("version", "path", "The number of the version.", count)},
		{"PageCursor", parameter("pageCursor", "query", "Where to go on: paging.next of the page before.", text)},
		{"PageLimit", parameter("pageLimit", "query", "The most items of a page; there may be fewer.", count)},
		{"Tag", parameter("tag", "query", "Tools with every one of the tags only.", object{{"type", "array"}, {"items", text}})},
		{"IdempotencyKey", parameter("Idempotency-Key", "header", "Calls with an effect and the same key are made once.", text.with("maxLength", 255))},
	}
}

func openapiResponses() object {
	answer := func(description, media, schema string) object {
		return object{{"description", description}, {"content", jsonContent(media, ref("schemas", schema))}}
	}
	return object{
		{"Page", answer("A page of signatures.", "application/json", "ToolList")},
		{"Signature", answer("A signature.", "application/json", "ToolSignature")},
		{"Problem", answer("What went wrong (RFC 9457). A 5xx may be repeated.", "application/problem+json", "Problem")},
	}
}

// openapiSchemas are the documents of A2T 6.
func openapiSchemas() object {
	text, whole, truth := object{{"type", "string"}}, object{{"type", "integer"}}, object{{"type", "boolean"}}
	list := func(items value) object { return object{{"type", "array"}, {"items", items}} }
	record := func(required array, properties object) object {
		return object{{"type", "object"}, {"required", required}, {"properties", properties}}
	}
	kinds := func(names ...string) object { return text.with("enum", texts(names)) }
	face := object{{"id", text}, {"name", text}, {"type", nil}, {"description", text}}
	input := append(object{}, face...)
	input[2].value = kinds("string", "int", "boolean", "enum")
	output := append(object{}, face...)
	output[2].value = kinds("string", "int", "boolean", "enum", "json")
	values := member{"allowed-values", list(ref("schemas", "AllowedValue"))}
	input = append(input, member{"required", truth}, member{"maxLength", whole}, member{"min", whole}, member{"max", whole}, values,
		member{"minLength", whole}, member{"pattern", text}, member{"default", object{}})
	needs := object{{"tools", list(text)}, {"conditions", list(text)}, {"permissions", list(text)}}
	effects := object{{"read_only", truth}, {"idempotent", truth}, {"destructive", truth}, {"irreversible", truth}, {"billable", truth},
		{"creates", list(text)}, {"modifies", list(text)}, {"deletes", list(text)}, {"cost", text}, {"duration", text}}
	return object{
		{"AllowedValue", record(array{"name", "description"}, object{{"name", text}, {"description", text}})},
		{"InputParameter", record(array{"id", "name", "type", "description", "required"}, input)},
		{"OutputParameter", record(array{"id", "name", "type", "description"}, append(output, values))},
		{"ToolSignature", record(
			array{"toolId", "name", "description", "version", "currentVersion", "input_parameters", "output_parameters"},
			object{{"toolId", text.with("format", "uuid")}, {"name", text}, {"description", text}, {"img", text.with("format", "uri")},
				{"version", whole}, {"currentVersion", whole}, {"tags", list(text)},
				{"input_parameters", list(ref("schemas", "InputParameter"))}, {"output_parameters", list(ref("schemas", "OutputParameter"))},
				{"effects", record(array{"read_only", "idempotent", "destructive", "irreversible", "billable"}, effects)},
				{"prerequisites", object{{"type", "object"}, {"properties", needs}}}, {"deprecated", ref("schemas", "Deprecation")}})},
		{"Deprecation", record(array{}, object{{"since", text.with("format", "date")}, {"sunset", text.with("format", "date")}, {"use", text}})},
		{"ToolList", record(array{"items", "paging"}, object{
			{"items", list(ref("schemas", "ToolSignature"))},
			{"paging", record(array{"pageLimit", "next"}, object{{"pageLimit", whole}, {"next", object{{"type", array{"string", "null"}}}}})}})},
		{"NameValue", record(array{"name", "value"}, object{{"name", text}, {"value", object{}}})},
		{"InvokeRequest", record(array{"input_parameters"}, object{{"name", text}, {"input_parameters", list(ref("schemas", "NameValue"))}})},
		{"InvokeResponse", record(array{"output_parameters"}, object{{"output_parameters", list(ref("schemas", "NameValue"))}})},
		{"Problem", record(array{"type", "title", "status", "code", "retryable"}, object{
			{"type", text}, {"title", text}, {"status", whole}, {"code", text}, {"retryable", truth}, {"detail", text}, {"instance", text},
			{"reason", text}, {"hint", text}, {"retry_after_ms", whole}, {"effects_done", list(text)}, {"toolId", text}, {"version", whole},
			{"errors", list(record(array{"parameter", "code", "detail"}, object{
				{"parameter", text}, {"id", text}, {"code", text}, {"detail", text}, {"allowed", list(text)}}))}})},
	}
}

// Judges the function formats of an exports folder with the official SDKs:
// node functions.js EXPORTS. It prints a line for each document and exits
// with 1 if one of them fails. Nothing leaves the loopback interface.
const assert = require('node:assert')
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const OpenAI = require('openai')
const Anthropic = require('@anthropic-ai/sdk')
const { GoogleGenAI } = require('@google/genai')
const { toStrictJsonSchema } = require('openai/lib/transform')
const { transformJSONSchema } = require('@anthropic-ai/sdk/lib/transform-json-schema')

const folder = process.argv[2]
const read = (name) => JSON.parse(fs.readFileSync(path.join(folder, name)))
const key = 'not-a-key'

// What each document is sent through, and what the answer of the fake is.
const documents = {
  'openai/chat.json': { send: chat, parse: openaiChatCall },
  'openai/chat-strict.json': { send: chat, parse: openaiChatCall, fixed: (t) => [toStrictJsonSchema, t.function.parameters] },
  'openai/responses.json': { send: responses },
  'openai/responses-strict.json': { send: responses, fixed: (t) => [toStrictJsonSchema, t.parameters] },
  'gemini/parameters.json': { send: gemini, sent: (body) => body.tools[0] },
  'gemini/json-schema.json': { send: gemini, sent: (body) => body.tools[0] },
  'anthropic/tools.json': { send: anthropic },
  'anthropic/tools-strict.json': { send: anthropic, fixed: (t) => [transformJSONSchema, t.input_schema] },
}

function chat(baseURL, tools) {
  return new OpenAI({ apiKey: key, baseURL, maxRetries: 0 }).chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'x' }], tools })
}
function openaiChatCall(tools, answer) {
  assert.strictEqual(answer.choices[0].message.tool_calls[0].function.name, tools[0].function.name)
}
function responses(baseURL, tools) {
  return new OpenAI({ apiKey: key, baseURL, maxRetries: 0 }).responses.create({ model: 'm', input: 'x', tools })
}
function anthropic(baseURL, tools) {
  return new Anthropic({ apiKey: key, baseURL, maxRetries: 0 }).messages.create({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }], tools })
}
function gemini(baseUrl, tool) {
  return new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl } }).models.generateContent({ model: 'm', contents: 'x', config: { tools: [tool] } })
}

// answerOf has the least that each SDK takes for an answer.
function answerOf(url, body) {
  if (url.includes('chat/completions')) {
    const call = { id: 'c', type: 'function', function: { name: body.tools[0].function.name, arguments: '{}' } }
    return { id: 'r', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: null, tool_calls: [call] } }] }
  }
  if (url.includes('responses')) return { id: 'r', object: 'response', created_at: 1, model: 'm', status: 'completed', output: [] }
  if (url.includes('messages')) return { id: 'r', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: 'tool_use', usage: { input_tokens: 1, output_tokens: 1 } }
  return { candidates: [{ content: { role: 'model', parts: [{ text: 'x' }] } }] }
}

async function main() {
  let sent
  const fake = http.createServer((request, response) => {
    let text = ''
    request.on('data', (piece) => { text += piece })
    request.on('end', () => {
      sent = JSON.parse(text)
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify(answerOf(request.url, sent)))
    })
  })
  await new Promise((done) => fake.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${fake.address().port}`
  let failed = 0
  for (const [name, how] of Object.entries(documents)) {
    try {
      const doc = read(name)
      assert.ok((doc.functionDeclarations ?? doc).length > 0, 'there is no tool in it')
      const answer = await how.send(url, doc)
      assert.deepStrictEqual((how.sent ?? ((body) => body.tools))(sent), doc)
      how.parse?.(doc, answer)
      for (const tool of how.fixed ? doc : []) {
        const [transform, schema] = how.fixed(tool)
        assert.deepStrictEqual(transform(structuredClone(schema)), schema)
      }
      console.log(`ok   ${name}${how.fixed ? ', a fixed point of the strict transform' : ''}`)
    } catch (error) {
      failed++
      console.log(`FAIL ${name}: ${error.message}`)
    }
  }
  fake.close()
  fake.closeAllConnections()
  process.exitCode = failed ? 1 : 0
}
main()

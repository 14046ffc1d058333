// Judges what sculpt/client/agent writes for providers of models with their
// official SDKs: node agent.js FOLDER. Lists and messages go through the SDKs
// unchanged, the answers are what the SDKs parse, and agent.ts, which is written
// beside them, has everything under the types of the SDKs, for tsc. Nothing leaves
// the loopback interface.
const assert = require('node:assert')
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const OpenAI = require('openai')
const Anthropic = require('@anthropic-ai/sdk')
const { GoogleGenAI } = require('@google/genai')

const folder = process.argv[2]
const read = (provider, name) => JSON.parse(fs.readFileSync(path.join(folder, `${provider}.${name}.json`)))
const key = 'not-a-key'
const user = { role: 'user', content: 'What is it?' }

// How each provider is asked, what of a request are the messages, which calls its
// SDK reads out of an answer, and the types of its SDK.
const providers = {
  'openai-chat': {
    send: (baseURL, tools, messages, answer) => new OpenAI({ apiKey: key, baseURL, maxRetries: 0 }).chat.completions.create(
      { model: 'm', tools, messages: [user, answer.choices[0].message, ...messages] }),
    messages: (body) => body.messages.slice(2),
    calls: (answer) => answer.choices[0].message.tool_calls.map((c) => c.function.name),
    types: ['OpenAI.Chat.ChatCompletionTool[]', 'OpenAI.Chat.ChatCompletionToolMessageParam[]'],
  },
  'openai-responses': {
    send: (baseURL, tools, messages, answer) => new OpenAI({ apiKey: key, baseURL, maxRetries: 0 }).responses.create(
      { model: 'm', tools, input: [user, ...answer.output, ...messages] }),
    messages: (body) => body.input.slice(-2),
    calls: (answer) => answer.output.filter((o) => o.type === 'function_call').map((o) => o.name),
    types: ['OpenAI.Responses.FunctionTool[]', 'OpenAI.Responses.ResponseInputItem.FunctionCallOutput[]'],
  },
  gemini: {
    send: (baseUrl, tools, messages, answer) => new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl } }).models.generateContent(
      { model: 'm', config: { tools }, contents: [{ role: 'user', parts: [{ text: 'x' }] }, answer.candidates[0].content, ...messages] }),
    messages: (body) => body.contents.slice(2),
    calls: (answer) => answer.functionCalls.map((c) => c.name),
    types: ['Tool[]', 'Content[]'],
  },
  anthropic: {
    send: (baseURL, tools, messages, answer) => new Anthropic({ apiKey: key, baseURL, maxRetries: 0 }).messages.create(
      { model: 'm', max_tokens: 9, tools, messages: [user, { role: 'assistant', content: answer.content }, ...messages] }),
    messages: (body) => body.messages.slice(2),
    calls: (answer) => answer.content.filter((b) => b.type === 'tool_use').map((b) => b.name),
    types: ['Anthropic.Messages.Tool[]', 'Anthropic.Messages.MessageParam[]'],
  },
}

async function main() {
  let sent, told
  const fake = http.createServer((request, response) => {
    let text = ''
    request.on('data', (piece) => { text += piece })
    request.on('end', () => {
      sent = JSON.parse(text)
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify(told))
    })
  })
  await new Promise((done) => fake.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${fake.address().port}`
  let failed = 0
  let typed = "import OpenAI from 'openai'\nimport Anthropic from '@anthropic-ai/sdk'\nimport type { Tool, Content } from '@google/genai'\n"
  for (const [name, how] of Object.entries(providers)) {
    const [tools, messages] = [read(name, 'tools'), read(name, 'messages')]
    told = read(name, 'answer')
    try {
      const answer = await how.send(url, tools, messages, told)
      assert.deepStrictEqual(sent.tools, tools, 'the tools are changed on the way')
      assert.deepStrictEqual(how.messages(sent), messages, 'the messages are changed on the way')
      assert.deepStrictEqual(how.calls(answer), ['one', 'two'], 'the SDK reads other calls')
      console.log(`ok   ${name}`)
    } catch (err) {
      failed++
      console.log(`FAIL ${name}: ${err.message}`)
    }
    const variable = name.replace('-', '_')
    typed += `export const ${variable}_tools: ${how.types[0]} = ${JSON.stringify(tools)}\n`
    typed += `export const ${variable}_messages: ${how.types[1]} = ${JSON.stringify(messages)}\n`
  }
  fake.close()
  fs.writeFileSync('agent.ts', typed)
  process.exit(failed ? 1 : 0)
}
main()

// Lists and calls the tools of an MCP server with the official npm SDK, which
// validates every result against the output schema of its tool:
//
//	node mcp.js URL PROGRAM ARGUMENT...
//
// The URL is asked first, then the program over stdin and stdout.
const assert = require('node:assert/strict');
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');

async function judge(transport) {
  const client = new Client({ name: 'judge', version: '1' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const lookup = tools.find((t) => t.name === 'lookup_weather_by_city');
  assert(lookup.outputSchema && lookup.annotations.readOnlyHint === true);
  const call = (args) => client.callTool({ name: 'lookup_weather_by_city', arguments: args });

  const good = await call({ city: 'Omaha, Nebraska' });
  assert.equal(good.structuredContent.temperature_f, 47);
  assert.deepEqual(JSON.parse(good.content[0].text), good.structuredContent);
  for (const [args, text] of [
    [{}, /city: This parameter is required/],
    [{ city: ['Omaha'] }, /city: Must be a string/],
    [{ city: 'Omaha', period: 'LATER' }, /Allowed: NOW, TONIGHT, TOMORROW/],
    [{ city: 'Springfield' }, /Ask the user which one/],
  ]) {
    const bad = await call(args);
    assert(bad.isError && bad.structuredContent === undefined);
    assert.match(bad.content[0].text, text);
  }
  // The client speaks 2025-11-25 and repeats nothing in headers.
  const custom = await client.callTool({ name: 'test_custom_headers', arguments: { region: 'Zürich', priority: 3 } });
  assert.equal(custom.structuredContent.text, 'priority=3&region=Z%C3%BCrich');
  await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }), { code: -32602 });
  await assert.rejects(client.listTools({ cursor: 'x' }), { code: -32602 });
  await client.ping();
  await client.close();
}

const [url, command, ...args] = process.argv.slice(2);
(async () => {
  await judge(new StreamableHTTPClientTransport(new URL(url)));
  await judge(new StdioClientTransport({ command, args }));
  console.log('npm SDK: 2 transports, 10 requests each, as expected');
})().catch((e) => { console.error(e); process.exit(1); });

// A small MCP server to try MCProve on: the weather of six cities, always the same, without a network.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

// Degrees Celsius: today and the four days after it.
const cities = new Map([
  ['Berlin', { country: 'Germany', sky: 'light rain', days: [18, 19, 17, 21, 22] }],
  ['Bern', { country: 'Switzerland', sky: 'sunny', days: [24, 25, 26, 24, 23] }],
  ['Lima', { country: 'Peru', sky: 'fog', days: [19, 19, 20, 19, 18] }],
  ['Nairobi', { country: 'Kenya', sky: 'cloudy', days: [23, 24, 24, 25, 23] }],
  ['Paris', { country: 'France', sky: 'sunny', days: [22, 23, 20, 19, 21] }],
  ['Tokyo', { country: 'Japan', sky: 'humid', days: [29, 30, 31, 30, 28] }],
]);

const city = z.string().describe('Name of the city, for example Berlin');
const units = z.enum(['celsius', 'fahrenheit']).default('celsius').describe('Unit of the temperatures');
const readOnly = { readOnlyHint: true };

const server = new McpServer({ name: 'weather', version: '1.0.0' });

server.registerTool(
  'get_weather',
  { description: 'The weather in a city right now.', inputSchema: { city, units }, annotations: readOnly },
  ({ city, units }) => {
    const found = cities.get(city);
    if (found === undefined) return unknownCity(city);
    return text(`${city}: ${degrees(found.days[0], units)}, ${found.sky}`);
  },
);

server.registerTool(
  'get_forecast',
  {
    description: 'The temperatures in a city for today and the days after it.',
    inputSchema: { city, days: z.number().int().min(1).max(5).describe('How many days, today included'), units },
    annotations: readOnly,
  },
  ({ city, days, units }) => {
    const found = cities.get(city);
    if (found === undefined) return unknownCity(city);
    const lines = found.days.slice(0, days).map((value, day) => `day ${day + 1}: ${degrees(value, units)}`);
    return text([`Forecast for ${city}`, ...lines].join('\n'));
  },
);

server.registerTool(
  'search_city',
  {
    description: 'Finds the cities whose name or country contains a text.',
    inputSchema: { query: z.string().min(1).describe('Part of a name or of a country') },
    annotations: readOnly,
  },
  ({ query }) => {
    const wanted = query.toLowerCase();
    const names = [...cities]
      .filter(([name, { country }]) => `${name} ${country}`.toLowerCase().includes(wanted))
      .map(([name]) => name);
    return text(names.join(', ') || 'No city found.');
  },
);

function degrees(celsius, units) {
  return units === 'fahrenheit' ? `${Math.round(celsius * 1.8 + 32)} °F` : `${celsius} °C`;
}

function text(text) {
  return { content: [{ type: 'text', text }] };
}

/** A tool that cannot do its work says so in a result with `isError`, so that the model can react to it. */
function unknownCity(city) {
  return { ...text(`No weather for "${city}". Try search_city.`), isError: true };
}

await server.connect(new StdioServerTransport());

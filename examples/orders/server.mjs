// An MCP server with awkward edges: nested arguments, refusals, structured results with a schema, a slow tool.
import { setTimeout as sleep } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const prices = { lamp: 40, desk: 180, chair: 95 };
const orders = new Map([
  ['A-1', { status: 'shipped', shipping: 'express', total: 220, items: [line('desk', 1), line('lamp', 1)] }],
  ['A-2', { status: 'open', shipping: 'standard', total: 190, items: [line('chair', 2)] }],
]);

const status = z.enum(['open', 'shipped', 'cancelled']);
const item = z.object({ sku: z.enum(['lamp', 'desk', 'chair']), quantity: z.number().int().min(1) });
const order = {
  id: z.string(),
  status,
  shipping: z.enum(['standard', 'express', 'pickup']),
  total: z.number().describe('Sum of all items, in euros'),
  items: z.array(item),
};

const server = new McpServer({ name: 'orders', version: '1.0.0' });

server.registerTool(
  'get_order',
  {
    description: 'Looks up one order.',
    inputSchema: { id: z.string().describe('Such as A-1') },
    outputSchema: order,
    annotations: { readOnlyHint: true },
  },
  ({ id }) => (orders.has(id) ? structured({ id, ...orders.get(id) }) : refusal(`No order ${id}.`)),
);

server.registerTool(
  'find_orders',
  {
    description: 'Lists the ids of the orders in any of these states.',
    inputSchema: { status: z.array(status).min(1) },
    outputSchema: { ids: z.array(z.string()) },
    annotations: { readOnlyHint: true },
  },
  ({ status }) => structured({ ids: [...orders.keys()].filter((id) => status.includes(orders.get(id).status)) }),
);

server.registerTool(
  'create_order',
  {
    description: 'Places an order.',
    inputSchema: {
      customer: z.object({
        name: z.string().min(1),
        address: z.object({ street: z.string(), city: z.string(), country: z.string().length(2) }),
      }),
      items: z.array(item).min(1),
      shipping: order.shipping.default('standard'),
      giftNote: z.string().nullable().default(null),
    },
    outputSchema: order,
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
  ({ items, shipping }) => {
    const id = `A-${orders.size + 1}`;
    const total = items.reduce((sum, { sku, quantity }) => sum + prices[sku] * quantity, 0);
    orders.set(id, { status: 'open', shipping, total, items });
    return structured({ id, ...orders.get(id) });
  },
);

server.registerTool(
  'cancel_order',
  {
    description: 'Cancels an order that has not been shipped.',
    inputSchema: { id: z.string(), reason: z.enum(['changed_mind', 'too_slow', 'duplicate']) },
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
  ({ id }) => {
    const found = orders.get(id);
    if (found === undefined) return refusal(`No order ${id}.`);
    if (found.status === 'shipped') return refusal(`Order ${id} has been shipped and cannot be cancelled.`);
    orders.set(id, { ...found, status: 'cancelled' });
    return text(`Order ${id} is cancelled.`);
  },
);

server.registerTool(
  'build_report',
  {
    description: 'Adds up all orders. Takes its time.',
    inputSchema: { delayMs: z.number().int().min(0).max(60_000).default(400).describe('How long it takes') },
    annotations: { readOnlyHint: true },
  },
  async ({ delayMs }, { signal }) => {
    await sleep(delayMs, undefined, { signal });
    const total = [...orders.values()].reduce((sum, order) => sum + order.total, 0);
    return text(`${orders.size} orders, ${total} euros in all`);
  },
);

function line(sku, quantity) {
  return { sku, quantity };
}

/** A result that programs read (`structuredContent`), with the same as text for those that cannot. */
function structured(value) {
  return { ...text(JSON.stringify(value)), structuredContent: value };
}

function text(text) {
  return { content: [{ type: 'text', text }] };
}

function refusal(reason) {
  return { ...text(reason), isError: true };
}

await server.connect(new StdioServerTransport());

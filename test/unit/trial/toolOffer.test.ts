import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Connection } from '../../../src/engine/servers/connection.ts';
import type { ToolPolicy } from '../../../src/engine/suite/model.ts';
import { offerTools } from '../../../src/engine/trial/toolOffer.ts';
import { memoryPool, says } from './memoryPool.ts';

const ALL = { allow: null, deny: [], readOnly: false };

async function connections(servers: Record<string, string[]>): Promise<readonly Connection[]> {
  const pool = memoryPool(
    ...Object.entries(servers).map(([name, tools]) => ({
      name,
      tools: Object.fromEntries(tools.map((tool) => [tool, () => says('')])),
    })),
  );
  return (await pool.lease(new AbortController().signal)).connections;
}

test.each<[string, Record<string, string[]>, string[]]>([
  ['plain names stay', { s: ['get_weather', 'Get-Time'] }, ['get_weather', 'Get-Time']],
  ['other characters are replaced', { s: ['fs.read/all', 'größe', '工具'] }, ['fs_read_all', 'gr__e', '__']],
  ['what becomes equal is numbered', { s: ['a.b', 'a/b', 'a_b'] }, ['a_b', 'a_b_2', 'a_b_3']],
  ['shared names get their server', { one: ['x', 'y'], two: ['x'] }, ['one__x', 'y', 'two__x']],
  ['long names are cut', { s: ['n'.repeat(80), 'n'.repeat(90)] }, ['n'.repeat(64), `${'n'.repeat(62)}_2`]],
  ['no name at all', { s: [''] }, ['tool']],
  ['the name that would set a prototype', { s: ['__proto__', 'constructor'] }, ['_proto_', 'constructor']],
])('%s', async (_, servers, aliases) => {
  const offer = offerTools(await connections(servers), ALL);
  expect(offer.now().map(({ alias }) => alias)).toEqual(aliases);
});

test('every tool has an alias of its own that leads back to it, whatever it is called', async () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom('a', 'a_2', 'a.', 'a_', '__proto__'),
    fc.string({ minLength: 60, maxLength: 70 }),
  );
  const servers = fc.dictionary(fc.constantFrom('s', 't', 's__a', 'sérver'), fc.uniqueArray(name, { maxLength: 6 }));
  await fc.assert(
    fc.asyncProperty(servers, async (named) => {
      const offer = offerTools(await connections(named), ALL);
      const tools = offer.now();
      expect(new Set(tools.map(({ alias }) => alias)).size).toBe(tools.length);
      for (const { alias, tool, connection } of tools) {
        expect(alias).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(alias).not.toBe('__proto__');
        expect(offer.byAlias(alias)?.tool).toBe(tool);
        expect(connection.server).toBe(tool.server);
      }
      expect(offer.ever).toHaveLength(tools.length);
    }),
  );
});

test('an alias stays when the lists change', async () => {
  const pool = memoryPool({ name: 'one', tools: { x: () => says('') } }, { name: 'two', tools: {} });
  const { connections: open } = await pool.lease(new AbortController().signal);
  const offer = offerTools(open, ALL);
  expect(offer.refresh()).toBe(false);
  pool.change('two', { x: () => says(''), y: () => says('') });
  expect(offer.refresh()).toBe(true);
  expect(offer.now().map(({ alias, tool }) => [alias, tool.server])).toEqual([
    ['x', 'one'],
    ['two__x', 'two'],
    ['y', 'two'],
  ]);
  expect(() => offer.nameOf('x')).toThrow('offered by one and two');
  expect(offer.nameOf('two::x')).toBe('two__x');
  pool.change('one', {});
  offer.refresh();
  expect(offer.byAlias('x')).toBeUndefined();
  expect(offer.nameOf('x')).toBe('two__x');
  expect(offer.ever.map(({ server, tool }) => `${server}::${tool}`)).toEqual(['one::x', 'two::x', 'two::y']);
});

test('what a case keeps from its model is known, and what its servers do not have is not', async () => {
  const servers = await connections({ s: ['get', 'delete'], t: ['delete'] });
  const kept = (policy: Partial<ToolPolicy>) =>
    offerTools(servers, { ...ALL, ...policy }).withheld.map(({ server, tool }) => `${server}::${tool}`);
  expect(kept({ deny: ['delete', 'drop'] })).toEqual(['s::delete', 't::delete']);
  expect(kept({ allow: ['get'], deny: ['t::*'] })).toEqual(['s::delete', 't::delete']);
  expect(kept({})).toEqual([]);
});

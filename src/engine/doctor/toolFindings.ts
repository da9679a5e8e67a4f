import type { Json } from '../record.ts';
import { compileSchema, type Tool } from '../servers/index.ts';
import { counted, type Finding, someOf } from './finding.ts';

/** What a model, or a check, will stumble over in the tools of a server. */
export function toolFindings(tools: readonly Tool[]): Finding[] {
  if (tools.length === 0) {
    return [
      {
        level: 'warning',
        text: 'it offers no tools',
        remedy: 'Without tools there is nothing that a suite could call.',
      },
    ];
  }
  const findings: Finding[] = [];
  const warn = (names: readonly string[], what: (count: number) => string, remedy: string): void => {
    if (names.length > 0) findings.push({ level: 'warning', text: `${what(names.length)}: ${someOf(names)}`, remedy });
  };
  warn(
    tools.filter(({ description }) => description.trim() === '').map(({ name }) => name),
    (count) => `${counted(count, 'tool')} without a description`,
    'A model chooses by it: say what the tool does and when to use it.',
  );
  warn(
    tools.flatMap((tool) => undescribed(tool).map((name) => `${tool.name}.${name}`)),
    (count) => `${counted(count, 'parameter')} without a description`,
    'A model fills them in by it: give each a "description" in the input schema.',
  );
  warn(
    tools.flatMap((tool) => undeclared(tool).map((name) => `${tool.name}.${name}`)),
    (count) => `${counted(count, 'required parameter')} that the schema does not declare`,
    'Add them to "properties", or take them out of "required".',
  );
  for (const [key, what] of [
    ['inputSchema', 'arguments'],
    ['outputSchema', 'results'],
  ] as const) {
    warn(
      tools.flatMap((tool) => {
        const why = whyUnusable(tool[key]);
        return why === null ? [] : [`${tool.name} (${why})`];
      }),
      (count) => `${counted(count, key)} that cannot be used`,
      `Mend it: ${what} cannot be checked against it. Known are JSON Schema 2020-12 and draft-07.`,
    );
  }
  return findings;
}

function whyUnusable(schema: Json | undefined): string | null {
  const checked = schema === undefined ? null : compileSchema(schema).validate({});
  return checked?.valid === null ? checked.why : null;
}

function undescribed({ inputSchema }: Tool): string[] {
  return Object.entries(propertiesOf(inputSchema)).flatMap(([name, schema]) => {
    const described = isMap(schema) && (typeof schema.description === 'string' || typeof schema.$ref === 'string');
    return described ? [] : [name];
  });
}

function undeclared({ inputSchema }: Tool): string[] {
  if (!isMap(inputSchema) || !Array.isArray(inputSchema.required)) return [];
  const properties = propertiesOf(inputSchema);
  return inputSchema.required
    .filter((name) => typeof name === 'string' && !Object.hasOwn(properties, name))
    .map(String);
}

function propertiesOf(schema: Json): { [key: string]: Json } {
  return isMap(schema) && isMap(schema.properties) ? schema.properties : {};
}

function isMap(value: Json | undefined): value is { [key: string]: Json } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

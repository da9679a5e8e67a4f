/**
 * A model server for tests: real HTTP on 127.0.0.1, the wire formats of OpenAI (chat completions and responses), Anthropic
 * (messages) and Google (generateContent), streamed and not, under any base path. It is deterministic: what it answers is
 * a function of the request, ids and times included. It knows no MCP and nothing of the project.
 *
 * ## Plans
 *
 * The prompt itself says what the model will say: behind `plan:` on one line, or in a fenced block called `plan`.
 *
 *     plan: get_weather {"city":"Oslo"} & get_time | say It is <<calls[0].json.temperature>> degrees at <<calls[1].text>>.
 *
 *     ```plan
 *     say Let me look. & get_weather {"city":"Oslo"}
 *     say "It is | <<calls[0].text>>"
 *     ```
 *
 * - ` | ` or a line end parts replies, ` & ` the parts of one reply. After the last reply the model says "Done.".
 * - `say TEXT` and `think TEXT` (reasoning); a text that holds ` | `, ` & ` or a line end stands in JSON quotes.
 * - `TOOL {arguments}` calls the tool of this name; without arguments, with `{}`.
 * - `!fault words` befall every request for this reply, or the first N with `times=N`. Two runs of one prompt share the
 *   count: put `{{trial.id}}` into it.
 * - `!loop` as the last reply gives the reply before it again and again.
 * - `<<calls[n].text>>` and `<<calls[n].json.path[0].to>>` stand for what tools returned since the plan began; n counts from
 *   0, a negative one from the end. (Not in double braces: those a suite fills itself.) An argument that is one placeholder
 *   and nothing else takes the value with its type.
 *
 * Which reply is due follows from how often the model answered since the user's last message. From code, a plan belongs to
 * a model's name and is counted from the beginning of the conversation: `server.plan('weather', [{ calls: [...] }, { say }])`.
 * A plan that cannot be read is a 400 that says where, and so is a request that the provider would refuse: calls without
 * results, results without calls, names of tools in a wrong form or twice, a schema that is no object's.
 *
 * ## Fault words
 *
 * For one request each: `startModelServer({ faults: ['429 retry-after=1', 'ok', 'cut=3'] })`, a function, or `!` in a plan.
 * `ok`, or nothing: no fault.
 *
 * | words | instead of a reply |
 * | --- | --- |
 * | `429` (any status) | the provider's error; with `code=WORD` another code, `body=html` or `body=empty` no JSON |
 * | `retry-after=2`, `retry-after=date:2`, `retry-after-ms=50`, `retry-after=body:2` | with it: how long to wait |
 * | `context-overflow` | the 400 of a conversation that is too long |
 * | `redirect=URL` | a 307 (or the status given) to the same path there |
 * | `hang`, `reset` | never an answer; the connection is reset |
 *
 * | words | on the way |
 * | --- | --- |
 * | `cut=N`, `stall=N`, `reset=N` | after N events the end, silence, a broken connection; a JSON body ends in the middle |
 * | `truncate` | half the bytes, then a proper end |
 * | `error-event=N` | after N events the provider's error inside the stream; not streamed, a 500 |
 * | `malformed-sse=N` | after N events one whose data breaks off, and the rest |
 * | `nasty-sse` | a valid stream with CRLF, comments, data over many lines, byte by byte |
 * | `latency=MS`, `chunk-latency=MS` | waits before the answer, before each event |
 *
 * `-N` is where N events are left.
 *
 * | words | in what the model says |
 * | --- | --- |
 * | `bad-json`, `unknown-tool`, `wrong-case` | befall the first call (one is made up where there is none) |
 * | `parallel=50` | the first call so many times |
 * | `ids=duplicate`, `ids=missing` | of calls |
 * | `max-tokens` | the last call is cut off in its arguments |
 * | `empty`, `null-content`, `only-reasoning`, `content-filter`, `refusal` | no calls |
 * | `finish=WORD` | another finish reason, known or not |
 * | `usage=missing`, `null`, `negative`, `nan`, `overcached` | otherwise four characters make a token |
 */
export { type ModelServer, type ModelServerOptions, startModelServer } from './server.ts';

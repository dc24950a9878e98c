/** `npm run bench <what>`: figures to compare, printed and never asserted. */
type Bench = { run: (args: readonly string[]) => Promise<void> }

const benches: Record<string, () => Promise<Bench>> = {
  launch: () => import('./launch/run.ts'),
  webhooks: () => import('./webhooks.ts'),
  mcp: () => import('./mcp.ts'),
  access: () => import('./access.ts'),
  runner: () => import('./runner/run.ts'),
  web: () => import('./web/run.ts'),
  scale: () => import('./scale.ts'),
}

const [name = '', ...args] = process.argv.slice(2)
const bench = benches[name]
if (bench === undefined) {
  process.stderr.write(`Name what to measure: ${Object.keys(benches).join(', ')}.\n`)
  process.exitCode = 64
} else {
  await (await bench()).run(args)
}

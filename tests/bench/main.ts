/** `npm run bench <what>`: figures to compare, printed and never asserted. */
const benches: Record<string, () => Promise<{ run: () => Promise<void> }>> = {
  webhooks: () => import('./webhooks.ts'),
  mcp: () => import('./mcp.ts'),
}

const [name = ''] = process.argv.slice(2)
const bench = benches[name]
if (bench === undefined) {
  process.stderr.write(`Name what to measure: ${Object.keys(benches).join(', ')}.\n`)
  process.exitCode = 64
} else {
  await (await bench()).run()
}

import { parseArgs } from 'node:util'
import { openService } from '../e2e/support/service.ts'
import { openThrowawayDatabase } from '../soak/database.ts'
import { say, table } from '../bench/figures.ts'
import { installSvc } from './installed-svc.ts'
import { type Recording, writeRecording } from './recording.ts'
import { triedRows } from './tried.ts'
import { tryTool } from './try-tool.ts'
import { tools } from './tools/all.ts'
import { findInstalled } from './tools/installed.ts'
import { measureOwn, sayOwnCost, writeOwnCost } from './own-cost.ts'

const usage = `npm run agents [-- [--record] [<agent> …]]

Drives the agents that people have, or those that are named, through a whole objective and two refusals, each against a
model server on loopback. --record writes what they printed to tests/agents/recordings, which npm test holds
docs/agents-tried.md to.
`

/**
 * `npm run agents`: the real tools, at a real service, with a model that does as it is told. The paths of the programs come
 * first, then what a person has typed.
 */
async function main(words: readonly string[]): Promise<number> {
  const programs = words.filter((word) => word.startsWith('/'))
  const { values, positionals } = parseArgs({
    args: words.filter((word) => !word.startsWith('/')),
    options: { record: { type: 'boolean', default: false }, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  const unknown = positionals.filter((name) => !tools.some(({ key }) => key === name))
  if (values.help || unknown.length > 0) {
    say(usage)
    return unknown.length > 0 ? 64 : 0
  }
  await using database = await openThrowawayDatabase({ clock: 'real', durable: true })
  using svc = installSvc()
  // as the product has it: some tools try again for minutes before they say what keeps them
  await using service = await openService(database.url, { SVC_ATTACH_SECONDS: '600' })
  const tried: Recording[] = []
  const failed: string[] = []
  for (const tool of tools) {
    if (positionals.length > 0 && !positionals.includes(tool.key)) continue
    const installed = findInstalled(tool, programs)
    say(`${tool.title} ${installed.version} …`)
    try {
      const recording = await tryTool({ service, svc }, installed)
      tried.push(recording)
      if (values.record) writeRecording(recording)
    } catch (error) {
      failed.push(tool.key)
      say(`${tool.title} failed: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  table(triedRows(tried))
  if (tried.length > 0) {
    const cost = await measureOwn(svc, tried, {
      HOME: '/nonexistent',
      SVC_BACKEND_URL: service.baseUrl,
      SVC_USER_TOKEN: await service.token(),
    })
    say(sayOwnCost(cost))
    if (values.record) writeOwnCost(cost)
  }
  if (failed.length > 0) say(`failed: ${failed.join(', ')}`)
  return failed.length + tried.filter(({ unknownOptions }) => unknownOptions.length > 0).length > 0
    ? 1
    : 0
}

process.exitCode = await main(process.argv.slice(2))

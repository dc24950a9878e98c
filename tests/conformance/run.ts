import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { runAuthorization } from './authorization.ts'
import { openBearerProxy } from './bearer-proxy.ts'
import { openService } from './open-service.ts'

const revisions = ['2026-07-28', '2025-11-25'] as const
const results = join(import.meta.dirname, '../../.svc/conformance')

/**
 * The official suite against a service of our own, for both revisions and as a client that asks for access. `suite` is its program; what it may fail is in
 * the baseline next to this file, and whatever else fails, or passes although it is named there, fails the run.
 */
async function main([suite]: readonly string[]): Promise<number> {
  if (suite === undefined) throw new Error('Start this by: npm run conformance')
  await using service = await openService()
  await using proxy = await openBearerProxy(service.url, service.owner.token)
  await rm(results, { recursive: true, force: true })
  const failed: string[] = []
  for (const revision of revisions) {
    const baseline = join(import.meta.dirname, `baseline-${revision}.yml`)
    const args = ['--requirements', revision, '--expected-failures', baseline]
    const child = spawn(
      process.execPath,
      [suite, 'server', '--url', `${proxy.url}/mcp`, ...args, '-o', join(results, revision)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    process.stdout.write(`\nRevision ${revision}\n${summaryOf(said)}`)
    if (code !== 0) failed.push(revision)
  }
  const authorization = await runAuthorization(suite, service, results)
  process.stdout.write(`\nAuthorization\n${summaryOf(authorization.said)}\n`)
  if (!authorization.passed) failed.push('authorization')
  const verdict =
    failed.length === 0
      ? 'conforms to both revisions and as an authorization server'
      : `fails ${failed.join(' and ')}`
  process.stdout.write(`\nThe service ${verdict}; details are in ${results}\n`)
  return failed.length === 0 ? 0 : 1
}

/** What was run line by line lies in the results; all of it where the suite did not come to its summary. */
function summaryOf(said: string): string {
  const start = said.indexOf('=== SUMMARY ===')
  return start < 0 ? said : said.slice(said.indexOf('\n', start) + 1)
}

process.exitCode = await main(process.argv.slice(2))

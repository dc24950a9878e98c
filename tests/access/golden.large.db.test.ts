import { Role } from '@svc/contracts/permissions'
import { operations, personEndpoints } from '@svc/domain/testing/operations'
import { describe, expect } from 'vitest'
import { matrixTest } from './matrix-test.ts'
import { renderMatrix } from './matrix.ts'

const test = matrixTest(operations, personEndpoints)

describe('of every operation', () => {
  // thousands of calls
  test(
    'each kind of caller gets the answer that is written down',
    { timeout: 1_500_000 },
    async ({ matrix: { callers, rows, personRows } }) => {
      await expect(renderMatrix(callers, [...rows, ...personRows])).toMatchFileSnapshot(
        'golden.txt',
      )
    },
  )

  test('an owner is refused nothing but what is not theirs', ({ matrix: { callers, rows } }) => {
    const owner = callers.findIndex(({ group, head }) => group === 'owner' && head === 'full')
    const refused = rows.filter(({ answers }) => answers[owner] !== 'ok')
    expect(refused.map(({ name }) => name)).toEqual(['protocol heartbeat, of somebody else'])
  })

  test('what is a person’s own is answered to a browser alone', ({
    matrix: { callers, personRows },
  }) => {
    const good = personRows.flatMap(({ answers }) =>
      answers.flatMap((answer, column) =>
        answer === 'unauthenticated' ? [] : [callers[column]?.head],
      ),
    )
    expect(new Set(good)).toEqual(new Set(['cook']))
  })

  test('at the endpoint for cloud agents a browser is nobody', ({ matrix: { callers, rows } }) => {
    const browsers = [...callers.keys()].filter((column) => callers[column]?.head === 'cook')
    const tools = rows.filter(({ name }) => name.startsWith('svc_'))
    const answers = tools.flatMap((tool) => browsers.map((column) => tool.answers[column]))
    expect(new Set(answers)).toEqual(new Set(['unauthenticated']))
  })

  test('a role allows no more than the one above it, and a token no more than its role', ({
    matrix: { callers, rows },
  }) => {
    const columnOf = (group: string | undefined, head: string) =>
      callers.findIndex((caller) => caller.group === group && caller.head === head)
    const wider = callers.flatMap(({ group, head }, column) => {
      const above = Role.options[Role.options.findIndex((role) => role === group) - 1]
      const role = group === 'bound' ? 'admin' : group
      return [columnOf(above, head), columnOf(role, 'full')]
        .filter((found) => found >= 0)
        .map((found) => ({ column, found }))
    })
    const beyond = rows.flatMap(({ name, answers }) =>
      wider
        .filter(({ column, found }) => answers[column] === 'ok' && answers[found] !== 'ok')
        .map(({ column }) => [name, callers[column]?.group, callers[column]?.head]),
    )
    expect(beyond).toEqual([])
  })
})

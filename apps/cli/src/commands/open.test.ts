import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { environment, id, mission, objective, routes, svc, useAnswers } from '../testing/answers.ts'
import { runInTest } from '../testing/cli.ts'

useAnswers()

beforeEach(() => {
  routes['GET /api/me'] = () => ({ workspace: { slug: 'acme', name: 'Acme' } })
  const cut = '?instructionCharacters=0'
  const whole = { mission, objectives: [objective] }
  routes[`GET /api/missions/web%3A12${cut}`] = () => whole
  routes[`GET /api/missions/${mission.id}${cut}`] = () => whole
  routes['GET /api/objectives/web%3A12.k7qd'] = () => ({ objective })
  routes[`GET /api/objectives/${objective.id}`] = () => ({ objective })
  routes[`GET /api/execution-requests/${id('05')}`] = () => ({ reason: null, nextSteps: [] })
  routes['GET /api/projects/web'] = () => ({ project: { id: id('02'), slug: 'web' } })
  routes[`GET /api/projects/${id('02')}`] = () => ({ project: { id: id('02'), slug: 'web' } })
})

const at = (page: string) => `${environment().SVC_BACKEND_URL}/w/acme${page}`

describe('svc open --print', () => {
  test.each([
    [[], ''],
    [['web:12'], '/m/web:12'],
    [['web:12', '--review'], '/m/web:12/review'],
    [[mission.id], '/m/web:12'],
    [['web:12.k7qd'], '/o/web:12.k7qd'],
    [['web:12.k7qd', '--review'], '/m/web:12/review'],
    [[objective.id], '/o/web:12.k7qd'],
    [[id('05')], `/runs/${id('05')}`],
    [['web'], '/p/web'],
    [[id('02')], '/p/web'],
  ])('of %j prints the address alone', async (words, page) => {
    const { code, stdout, stderr } = await svc('open', ...words, '--print')
    expect([code, stdout, stderr]).toEqual([0, `${at(page)}\n`, ''])
    const { stdout: json } = await svc('open', ...words, '--print', '--json')
    expect(JSON.parse(json)).toEqual({ address: at(page), opened: false })
  })

  test.each([
    [['web:13'], 4, 'web:13'],
    [[id('77')], 4, `No mission, objective, run or project of the id ${id('77')}`],
    [['none'], 4, 'none'],
    [['http://evil.example'], 2, 'names nothing'],
    [['web', '--review'], 2, 'names none'],
    [['--review'], 2, 'svc open web:12 --review'],
  ])('of %j says what is wrong', async (words, exit, text) => {
    const { code, stdout, stderr } = await svc('open', ...words, '--print')
    expect([code, stdout]).toEqual([exit, ''])
    expect(stderr).toContain(text)
  })
})

describe('svc open', () => {
  /** A program that keeps what it was called with. */
  function browser(): { program: string; opened: () => string } {
    const folder = mkdtempSync(join(tmpdir(), 'svc-open-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [program, kept] = [join(folder, 'browser'), join(folder, 'kept')]
    writeFileSync(
      program,
      `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > '${kept}.new'; mv '${kept}.new' '${kept}'\n`,
    )
    chmodSync(program, 0o755)
    return { program, opened: () => readFileSync(kept, 'utf8') }
  }

  test('gives the browser the address as one argument, which no shell reads', async () => {
    // an owner of another service may call a workspace what they like
    routes['GET /api/me'] = () => ({ workspace: { slug: 'a;touch x$(id)&', name: 'Odd' } })
    const { program, opened } = browser()
    const env = { ...environment(), BROWSER: program }
    const { code, stdout, stderr } = await runInTest(env, 'open', 'web:12')
    const address = `${environment().SVC_BACKEND_URL}/w/a%3Btouch%20x%24(id)%26/m/web:12`
    expect([code, stdout, stderr]).toEqual([0, `${address}\n`, 'It was opened in your browser.\n'])
    await expect.poll(() => ignoring(opened)).toBe(`1\n${address}\n`)
  })

  test('prints the address where no browser can be opened, and says so', async () => {
    const env = { ...environment(), SSH_TTY: '/dev/pts/1' }
    const { code, stdout, stderr } = await runInTest(env, 'open', 'web:12')
    expect([code, stdout]).toEqual([0, `${at('/m/web:12')}\n`])
    expect(stderr).toContain('No browser can be opened from here')
    const { stdout: json } = await runInTest(env, 'open', '--json')
    expect(JSON.parse(json)).toEqual({ address: at(''), opened: false })
  })
})

/** It is not there yet. */
function ignoring(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type App, createApp } from './support/app.ts'
import { programs } from './support/programs.ts'
import { type Started, killAll, startNode } from './support/processes.ts'
import { expectDone, sentences } from './support/ended.ts'

test('the standalone app starts PostgreSQL and daemon again when they were killed, and goes on with the commands that it prints, each of them once', async () => {
  await using app = await createApp()
  const first = app.start()
  await app.says(first, 'launched')
  killAll([await app.daemon(), await app.postgres()])
  await app.says(first, 'PostgreSQL has ended; it is started again')
  await app.says(first, 'The runner has ended; it is started again')
  await app.says(first, 'approve the next objective')
  await app.says(first, 'Ctrl-C stops everything; the next')

  const second = app.start()
  expect(await second.ended).toEqual({ code: 1, signal: null })
  expect(sentences(second)).toEqual([expect.stringContaining(`svc runs already: ${app.url}`)])

  const commands = /npm run -s svc -- (launch \S+ --watch --agent scripted)/g
  const printed = [...first.output().matchAll(commands)].map(([, words = '']) => words.split(' '))
  const [next = [], after = []] = printed
  const launch = svc(app, ...next)
  await expectDone(launch)
  expect(await states(app)).toEqual(['complete', 'complete', 'awaiting_approval'])

  const answering = /npm run -s svc -- questions answer (\S+) "(.+)"/.exec(first.output())
  const [, asking = '', words = ''] = answering ?? []
  const last = svc(app, ...after)
  await app.says(last, `svc questions answer ${asking}`)
  await expectDone(svc(app, 'questions', 'answer', asking, words))
  await expectDone(last)
  expect(await states(app)).toEqual(['complete', 'complete', 'complete', 'draft'])

  const others = [/svc -- (projects create Mine)/, /svc -- (resource link) mine "(.+)"/]
  const [make, link] = others.map((shape) => shape.exec(first.output()))
  await expectDone(svc(app, ...(make?.[1] ?? '').split(' ')))
  await expectDone(svc(app, 'resource', 'link', 'mine', join(app.data, 'demo-repository')))
  expect(link?.[2]).toBe(join(app.data, 'mine'))
  const [setUp = ''] = /http\S+\/setup\?token=\S+/.exec(first.output()) ?? []
  expect(await setPassword(setUp)).toEqual([303, '/'])

  first.kill('SIGTERM')
  expect(await first.ended).toEqual({ code: 0, signal: null })
  await expect.poll(() => app.processes()).toEqual([])

  const third = app.start()
  await app.says(third, 'Ctrl-C stops everything; the next')
  const done = [...others, /svc -- launch/, /\/setup\?/]
  for (const shape of done) expect(third.output()).not.toMatch(shape)
  expect(third.output()).toContain(`open the web app\n    ${app.url}\n`)
  expect(third.output()).toContain('svc -- review demo:1')
  third.kill('SIGTERM')
  await third.ended
})

async function states(app: App): Promise<string[]> {
  const client = app.client()
  const { missions } = await client.call('listMissions', {})
  const { objectives } = await client.call('getMission', { id: missions[0]?.id ?? '' })
  return objectives.map(({ state }) => state)
}

function svc(app: App, ...args: string[]): Started {
  return startNode(programs.svc, args, {
    env: { SVC_BACKEND_URL: app.url, SVC_USER_TOKEN: app.owner().token },
  })
}

/** Sets the password as the page behind the link does. */
async function setPassword(link: string): Promise<[status: number, location: string | null]> {
  const { origin, searchParams } = new URL(link)
  const token = searchParams.get('token') ?? ''
  const answer = await fetch(`${origin}/setup`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ token, name: 'Olga', password: 'four quiet words here' }),
  })
  return [answer.status, answer.headers.get('location')]
}

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@svc/client/client'
import { expect, test } from 'vitest'
import { expectInvariants } from '../invariants.ts'
import { receiveEvents } from './support/hearing.ts'
import { openDomainOf } from './support/open-domain.ts'
import { openScene, resourceKey } from './support/scene.ts'
import * as versions from './support/two-versions.ts'
import { until } from './support/until.ts'
import { openEarlierVersion, thisVersion } from './support/versions.ts'
import { expectWhole } from './support/whole.ts'

const plain = 'Write a line.'
const asks = `${plain}\nscripted: ask`
const asksAndEnds = `${plain}\nscripted: ask-and-exit`

/** What a runner is warned of, but for a service that comes late on a busy machine. */
const isTold = /warning: (?!the service did not answer)/

test.for([
  { order: 'this version comes to the apps of the one before', isBack: false },
  { order: 'the version before comes to the apps of this one', isBack: true },
])(
  '$order, on the schema of this one: nothing is lost or done twice',
  { timeout: 600_000 },
  async ({ isBack }) => {
    using earlier = openEarlierVersion()
    const [before, after] = isBack ? [thisVersion, earlier] : [earlier, thisVersion]
    await using two = await versions.openTwoVersions(before, after)
    const { from, to } = two
    const instructions = [asks, asksAndEnds, plain, plain, asks] as const
    const setUp = { repository: true, parallel: true, instructions }
    await using scene = await openScene(two, setUp)
    const { client, mission } = scene
    const ids = scene.objectives.map(({ id }) => id)
    const [waiting = '', parking = '', third = '', fourth = '', last = ''] = ids
    await using receiver = await receiveEvents(client, ['objective.completed'])
    const launch = (id: string, apps = from) =>
      apps.client.call('launchObjective', { id, agent: 'scripted', resourceKey })
    const answer = async (id: string, apps = from) => {
      const open = { missionId: mission.id, objectiveId: id, status: 'open' } as const
      const asked = async () => (await client.call('listQuestions', open)).questions[0]
      const question = await until('the agent has asked', asked)
      return () => apps.client.call('answerQuestion', { id: question.id, text: 'English.' })
    }
    const untilPosted = async (...of: string[]) => {
      const isPosted = (id: string) => receiver.posts.some(({ raw }) => raw.includes(id))
      await until('the webhook is posted', () => of.every(isPosted))
    }

    const machine = await scene.machine({ main: before.main('cli'), args: ['--leave-runs'] })
    await scene.connected()
    await launch(waiting)
    await launch(parking)
    const [answerWaiting, answerParking] = [await answer(waiting, to), await answer(parking, from)]

    await two.admin(thisVersion, 'migrate')
    await to.api.start()
    const [ofThis, ofEarlier] = isBack ? [from, to] : [to, from]
    expect(await versions.failingChecks(ofThis.api)).toEqual([])
    // it answers whoever calls, and an edge that asks sends nobody there
    expect(await versions.failingChecks(ofEarlier.api)).toEqual(['schema'])
    two.lead(from, to)

    // a call that is repeated to the other one is done once
    const order = { projectId: scene.project.id, title: 'Once' }
    const key = { idempotencyKey: randomUUID() }
    const once = await from.client.call('createMission', order, key)
    expect(await to.client.call('createMission', order, key)).toEqual(once)

    // the dispatcher of one sends what came of a call to the other
    await launch(third, to)
    await untilPosted(third)
    await to.dispatcher.start()
    await answerWaiting()
    await answerParking()
    await untilPosted(waiting, parking)
    expect(await versions.stop(from.dispatcher)).toEqual([])
    await launch(fourth, from)
    await untilPosted(fourth)

    // the version before lets nobody into what this one has deleted
    const token = await two.admin(thisVersion, ...versions.createOwner('other'))
    const inOther = (apps: versions.Apps) => createClient({ baseUrl: apps.api.url, token })
    await inOther(ofEarlier).call('getMe', {})
    await inOther(ofThis).call('deleteWorkspace', { name: 'other' })
    const refused = inOther(ofEarlier).call('getMe', {})
    await expect(refused).rejects.toMatchObject({ code: 'unauthenticated' })

    two.lead(to)
    expect(await versions.stop(from.api)).toEqual([])
    await launch(last, to)
    const answerLast = await answer(last, to)
    // the runner follows while its agent waits
    machine.daemon().kill()
    await machine.daemon().ended
    expect(machine.daemon().output()).not.toMatch(isTold)
    machine.start(after.main('cli'))
    await answerLast()
    await untilPosted(last)

    const runs = instructions.length + 1 // one in which an agent went on with its answer
    await expectWhole(scene, machine, { deliveries: instructions.length, attached: runs })
    expect(machine.daemon().output()).not.toMatch(isTold)
    expect(machine.runs()).toHaveLength(runs)
    for (const { folder } of machine.runs()) {
      const log = readFileSync(join(folder, 'supervisor.log'), 'utf8')
      expect(versions.complaints(log)).toEqual([])
    }
    const posts = receiver.posts.map(({ body }) => body.id)
    expect(new Set(posts).size).toBe(instructions.length)
    expect(posts).toHaveLength(instructions.length)
    expect(await versions.stop(to.api)).toEqual([])
    expect(await versions.stop(to.dispatcher)).toEqual([])
    await using domain = await openDomainOf(two.databaseUrl, two.secretKeys)
    await expectInvariants(domain.db)
  },
)

import { commandOf } from '@svc/contracts/next-step'
import { tokenFromOAuth } from '../testing/granted.ts'
import { type Person, personWith } from '../testing/people.ts'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { notifyOfEndingTokens } from './notify-of-end.ts'

const day = 24 * 60 * 60

async function unreadNotices(person: Person): Promise<string[]> {
  const { notifications } = await person.call('listNotifications', { state: 'unread' })
  return notifications
    .filter(({ kind }) => kind === 'token_ends')
    .map(
      ({ title, next }) => `${title.replace(/\d{4}-\d\d-\d\d/, '…')} -> ${next && commandOf(next)}`,
    )
}

describe('a token that will end', () => {
  test(
    'is told of a week before, once, until it has a successor, is revoked or has ended',
    { tags: 'large' },
    async ({ world }) => {
      const { domain } = world
      const anna = await world.person('member')
      const mint = async (label: string, days: number, may: object = { preset: 'runner' }) =>
        (await anna.call('createUserToken', { label, expiresInDays: days, ...may })).userToken
      await mint("anna's laptop", 30)
      const revoked = await mint('box', 30, { permissions: ['mission:read'] })
      await mint('pod', 30)
      await mint('short', 5)
      await mint('later', 60)
      const sweep = () => notifyOfEndingTokens(domain)

      await world.advance(22 * day)
      await sweep()
      expect(await unreadNotices(anna)).toEqual([])
      await world.advance(2 * day)
      await Promise.all([sweep(), sweep(), sweep()])
      await sweep()
      expect((await unreadNotices(anna)).toSorted()).toEqual([
        "The token anna's laptop ends on … -> svc tokens create 'anna'\\''s laptop' --preset runner",
        'The token box ends on … -> svc tokens create box --permission <permission>',
        'The token pod ends on … -> svc tokens create pod --preset runner',
      ])

      await mint('pod', 30)
      await anna.call('revokeUserToken', { id: revoked.id })
      expect(await unreadNotices(anna)).toHaveLength(1)
      await world.advance(7 * day)
      await sweep()
      expect(await unreadNotices(anna)).toEqual([])
    },
  )

  test('with the one that minted it is no notice of its own', async ({ world }) => {
    const { domain } = world
    const bert = await world.person('member')
    const { token } = await bert.call('createUserToken', {
      label: 'parent',
      preset: 'full',
      expiresInDays: 20,
    })
    const child = personWith(domain, token)
    await child.call('createUserToken', { label: 'child', preset: 'runner', expiresInDays: 90 })
    await world.advance(14 * day)
    await notifyOfEndingTokens(domain)
    expect((await unreadNotices(bert)).map((one) => one.split(' ends')[0])).toEqual([
      'The token parent',
    ])
  })

  test('of an application is told of, too, until that is connected again', async ({ world }) => {
    const { domain } = world
    const carl = await world.person('member')
    const { workspaceId, userId } = await carl.actor()
    const connect = () => tokenFromOAuth(domain, { workspaceId, userId })
    const toldOfIt = async () =>
      (await unreadNotices(carl)).filter((title) => title.includes('An application'))
    await connect()
    await world.advance(82 * day)
    await notifyOfEndingTokens(domain)
    expect(await toldOfIt()).toEqual([])
    await world.advance(2 * day)
    await Promise.all([notifyOfEndingTokens(domain), notifyOfEndingTokens(domain)])
    await notifyOfEndingTokens(domain)
    expect(await toldOfIt()).toEqual([
      'The access of An application ends on …: connect it again from there -> svc applications list',
    ])
    await connect()
    expect(await toldOfIt()).toEqual([])
    await notifyOfEndingTokens(domain)
    expect(await toldOfIt()).toEqual([])
  })

  test('of an application that has a newer one is not told of', async ({ world }) => {
    const { domain } = world
    const dora = await world.person('member')
    const { workspaceId, userId } = await dora.actor()
    await tokenFromOAuth(domain, { workspaceId, userId })
    await world.advance(10 * day)
    await tokenFromOAuth(domain, { workspaceId, userId })
    await world.advance(75 * day)
    await notifyOfEndingTokens(domain)
    expect((await unreadNotices(dora)).filter((title) => title.includes('An application'))).toEqual(
      [],
    )
  })
})

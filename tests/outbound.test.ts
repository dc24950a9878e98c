import { openReceiver } from '@svc/testing/receiver'
import { expect, test } from 'vitest'
import { openOutbound } from '@svc/outbound/open-outbound'

const request = { headers: {}, body: Buffer.from('{}'), timeoutMs: 5_000 }

test('a host is opened for the workspace that it is listed for, at save time and when it is called', async () => {
  await using receiver = await openReceiver()
  const { url } = receiver
  const outbound = openOutbound([`acme@${new URL(url).host}`, '*@10.0.0.5'])
  expect(await outbound.check(url, 'acme')).toMatchObject({ ok: true })
  expect(await outbound.check(url, 'other')).toMatchObject({ ok: false, rule: 'scheme' })
  expect(await outbound.send({ ...request, url, workspace: 'other' })).toMatchObject({
    outcome: 'blocked_address',
  })
  expect(receiver.posts).toEqual([])
  expect(await outbound.send({ ...request, url, workspace: 'acme' })).toMatchObject({
    outcome: 'success',
  })
  expect(receiver.posts).toHaveLength(1)
})

test('a host that is listed for every workspace is opened for each', async () => {
  const outbound = openOutbound(['acme@10.0.0.4', '*@10.0.0.5'])
  for (const workspace of ['acme', 'other']) {
    expect(await outbound.check('http://10.0.0.5/', workspace)).toMatchObject({ ok: true })
  }
})

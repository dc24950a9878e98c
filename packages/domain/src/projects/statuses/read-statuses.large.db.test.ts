import { test } from '../../testing/world.ts'
import { expect } from 'vitest'

test('statuses are read with the revision that they have, while others rename them', async ({
  world,
}) => {
  const { alice, bob } = world
  const { id } = await world.projectWith()
  const first = await alice.call('listProjectStatuses', { id })
  const statusId = first.statuses[0]?.id ?? ''
  const labels = new Map([[first.project.revision, first.statuses[0]?.label]])
  let isOver = false
  const rename = async () => {
    for (let turn = 1; turn <= 40; turn += 1) {
      const label = `Ideas ${turn}`
      const { project } = await bob.call('renameProjectStatus', { id, statusId, label })
      labels.set(project.revision, label)
    }
    isOver = true
  }
  const seen: { revision: number; label: string | undefined }[] = []
  const read = async () => {
    while (!isOver) {
      const { project, statuses } = await alice.call('listProjectStatuses', { id })
      seen.push({ revision: project.revision, label: statuses[0]?.label })
    }
  }
  await Promise.all([rename(), read(), read()])
  expect(seen.length).toBeGreaterThan(10)
  expect(seen.filter(({ revision, label }) => labels.get(revision) !== label)).toEqual([])
})

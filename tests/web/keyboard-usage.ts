import type { Proof } from './keyboard-places.ts'

/** Of the page of what runs have used. */
export const usageProofs: Readonly<Record<string, Proof>> = {
  'features/usage updateMission': async ({ world, open }, hands) => {
    const { project, mission } = await world.missionWith(['One'], { title: 'Icons' })
    await world.alice.call('updateMission', { id: mission.id, budget: { runs: 0 } })
    await open(`/usage?project=${project.slug}`, 'Nothing more of it is launched.')
    await hands.do(`Raise … budget of ${mission.displayId}`)
    await hands.seesDialog(`Budget of ${mission.displayId}`)
    await hands.to('Budget in runs')
    await hands.press('Control+A')
    await hands.type('7')
    await hands.do('Save')
    await hands.sees('0 runs of 7 runs')
    await hands.sees('No mission has used up its budget.')
  },
}

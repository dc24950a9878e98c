import { befall } from './fault-run.ts'
import { newTally } from './faults.ts'
import { test } from './scene.ts'

test('whatever befalls the call that makes a mission, what was typed is there, the page says so, and it is made once', ({
  openApp,
  scene,
}) => befall('features/board createMission', { openApp, scene, tally: newTally() }))

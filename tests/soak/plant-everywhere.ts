/** Loaded before anything else by a process and by all that it starts: the mistake is in each of them. */
import { type Mistake, plant } from '../model/plant.ts'

const told = process.env['SVC_TEST_MISTAKE']
// written by the soak test, from the same source
if (told !== undefined) plant(JSON.parse(told) as Mistake)

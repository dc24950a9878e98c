import { deeds, eachEndsOnce } from '../testing/agent-deeds.ts'

eachEndsOnce(deeds)

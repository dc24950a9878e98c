import { deeds, eachEndsOnce } from '../testing/agent-deeds.ts'

eachEndsOnce(deeds.filter(({ title }) => /^(Remove the folder|Delete the branch)$/.test(title)))

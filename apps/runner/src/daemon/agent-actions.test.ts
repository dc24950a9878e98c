import { actions, eachEndsOnce } from '../testing/agent-actions.ts'

eachEndsOnce(actions.filter(({ title }) => /^(Remove the folder|Delete the branch)$/.test(title)))

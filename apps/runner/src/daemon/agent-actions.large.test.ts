import { actions, eachEndsOnce } from '../testing/agent-actions.ts'

eachEndsOnce(actions)

import { answersSpoiled } from './testing/spoiled-messages.ts'

answersSpoiled({ each: 1 })

import { describeHostile } from './describe-hostile.ts'
import { hostileTexts } from './hostile-texts.ts'

describeHostile(hostileTexts)

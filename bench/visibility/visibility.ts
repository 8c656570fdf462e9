import type { Aim } from '../aims.ts';
import { type Analysis, analysisAims, analysisLines, measureAnalysis } from './analysis.ts';
import { type Calibration, calibrationAims, calibrationLines, measureCalibration } from './calibration.ts';
import { type ChangeOverTime, changeOverTimeAims, changeOverTimeLines, measureChangeOverTime } from './change.ts';
import { citationLines, type CitationTimes, measureCitationAnalysis } from './citations.ts';
import { type Labelled, labelledAims, labelledLines, measureLabelled } from './labelled.ts';
import { type LazySdk, lazySdkAims, lazySdkLines, measureLazySdk } from './lazy-sdk.ts';
import { measurePaidCall, type PaidCall, paidCallAims, paidCallLines } from './paid-call.ts';
import { measurePanelWall, type PanelWall, panelWallAims, panelWallLines } from './panel-wall.ts';
import { measurePooled, type Pooled, pooledAims, pooledLines } from './pooled.ts';
import { measureRunObject, type RunObject, runObjectAims, runObjectLines } from './run-object.ts';

export type VisibilityResults = {
  labelled: Labelled;
  calibration: Calibration;
  changeOverTime: ChangeOverTime;
  pooled: Pooled;
  paidCall: PaidCall;
  panelWall: PanelWall;
  analysis: Analysis;
  citations: CitationTimes;
  runObject: RunObject;
  lazySdk: LazySdk;
  aims: readonly Aim[];
};

type Say = (line: string) => void;

/** Everything about brand visibility, one part after the other; each part says its figures as they are there. */
export async function measureVisibility(say: Say): Promise<VisibilityResults> {
  const aims: Aim[] = [];
  const delivered = <Figures>(
    figures: Figures,
    lines: (of: Figures) => string[],
    aimsOf: (of: Figures) => Aim[],
  ): Figures => {
    for (const line of lines(figures)) say(line);
    aims.push(...aimsOf(figures));
    return figures;
  };
  const labelled = delivered(measureLabelled(), labelledLines, labelledAims);
  const calibration = delivered(await measureCalibration(), calibrationLines, calibrationAims);
  const changeOverTime = delivered(measureChangeOverTime(), changeOverTimeLines, changeOverTimeAims);
  const pooled = delivered(measurePooled(), pooledLines, pooledAims);
  const paidCall = delivered(await measurePaidCall(), paidCallLines, paidCallAims);
  const panelWall = delivered(await measurePanelWall(), panelWallLines, panelWallAims);
  const analysis = delivered(await measureAnalysis(), analysisLines, analysisAims);
  const citations = delivered(measureCitationAnalysis(), citationLines, () => []);
  const runObject = delivered(await measureRunObject(), runObjectLines, runObjectAims);
  const lazySdk = delivered(await measureLazySdk(), lazySdkLines, lazySdkAims);
  return {
    labelled,
    calibration,
    changeOverTime,
    pooled,
    paidCall,
    panelWall,
    analysis,
    citations,
    runObject,
    lazySdk,
    aims,
  };
}

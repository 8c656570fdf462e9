// Written by scripts/generate-client.ts from the OpenAPI document. Not edited by hand.

/** The body of each capability. */
export type CapabilityBodies = {
  /** Site availability, robots.txt, access for three named AI crawlers, sitemap presence */
  check_health: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
  };
  /** llms.txt existence and quality: sections, links, statistics */
  check_llms_txt: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
  };
  /** Schema.org JSON-LD detection: types found, FAQ schema, Organization schema */
  check_schema: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
  };
  /** openapi.json, ai-plugin.json, x402 payment support detection */
  check_agent_files: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
  };
  /** MCP discoverability: /.well-known/mcp.json, agent.json, MCP Server Card */
  check_mcp: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
  };
  /** AEO (AI search visibility) score 0-100 with detailed checks */
  score_aeo: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
  };
  /** GEO (citation readiness) score 0-100 with detailed checks */
  score_geo: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
  };
  /** Agent Readiness score 0-100 with detailed checks */
  score_agent: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
  };
  /** MCP Readiness score 0-100 with detailed checks */
  score_mcp: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
  };
  /** All four scores, 305 checks with evidence */
  full_audit: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
    /** Makes the whole report public once it is paid: badge and history of the host show its scores, its address appears in the history, and search engines may find it, fixes and files included. Asks for the root of a site as `url`, and for neither `profile` nor `max_pages`. */
    publish?: boolean;
  };
  /** Ready-to-deploy llms.txt tailored to the site */
  generate_llms_txt: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
  };
  /** Ready-to-deploy mcp.json and agent.json */
  generate_mcp_json: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
  };
  /** Copy-paste fix instructions for every failed check */
  fix_pack: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
    /** Makes the whole report public once it is paid: badge and history of the host show its scores, its address appears in the history, and search engines may find it, fixes and files included. Asks for the root of a site as `url`, and for neither `profile` nor `max_pages`. */
    publish?: boolean;
  };
  /** Ready-to-run SKILL.md fix file for coding agents */
  generate_skill: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
  };
  /** Gap analysis against a competitor URL: who wins each category and why */
  compare: {
    /** URL or host of the website */
    url: string;
    /** URL or host of the competitor site */
    competitor: string;
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
  };
  /** Full audit, fix pack, generated llms.txt and mcp.json in one */
  full_report: {
    /** URL or host of the website */
    url: string;
    /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
    profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
    /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
    max_pages?: number;
    /** Makes the whole report public once it is paid: badge and history of the host show its scores, its address appears in the history, and search engines may find it, fixes and files included. Asks for the root of a site as `url`, and for neither `profile` nor `max_pages`. */
    publish?: boolean;
  };
  /** Brand visibility in AI answers: mention rate, share of voice, who is recommended instead */
  visibility_check: {
    /** Brand name to measure */
    brand: string;
    /** Market niche or category, as a bare noun phrase */
    niche: string;
  };
  /** Head-to-head visibility of two brands on the same 30 prompts: rates, share of voice, verdict */
  visibility_vs_competitor: {
    /** Brand name to measure */
    brand: string;
    /** Market niche or category, as a bare noun phrase */
    niche: string;
    /** Brand name to compare with */
    competitor_brand: string;
  };
  /** Ready-to-deploy fix materials: citable passages, FAQ JSON-LD, llms.txt sections */
  visibility_fix_pack: {
    /** Brand name to measure */
    brand: string;
    /** Market niche or category, as a bare noun phrase */
    niche: string;
    /** From `weak_spots` of a visibility_check response */
    weak_spots: ({
        topic: string;
        who_wins?: string;
        evidence?: string;
      })[];
  };
};

/** The whole result of each capability. */
export type CapabilityResults = {
  /** Site availability, robots.txt, access for three named AI crawlers, sitemap presence */
  check_health: {
    capability: string;
    url?: string;
    report_id: string;
    checks: ({
        id: string;
        title: string;
        status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
        value: number;
        weight: number;
        evidence_grade: "A" | "B" | "C" | "D";
        /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
        accuracy?: {
          n: number;
          right: number;
          wrong: number;
        };
        note: string;
        /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
        pages?: {
          judged: number;
          passed: number;
          worst?: string;
        };
        evidence: ({
            url: string;
            status?: number;
            header?: string;
            selector?: string;
            line?: number;
            excerpt?: string;
            sha256?: string;
          })[];
        reproduce: string;
        why: string;
        source: string;
        fix_id: string;
      })[];
    facts: Record<string, unknown>;
    profile: {
      name: string;
      rests_on: string[];
      given: boolean;
    };
    rubric: {
      version: string;
      sha256: string;
    };
    requests: ({
        role: string;
        url: string;
        status: (number | null);
        failure?: string;
        bytes: number;
        ms: number;
      })[];
    summary: Record<string, unknown>;
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** llms.txt existence and quality: sections, links, statistics */
  check_llms_txt: {
    capability: string;
    url?: string;
    report_id: string;
    checks: ({
        id: string;
        title: string;
        status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
        value: number;
        weight: number;
        evidence_grade: "A" | "B" | "C" | "D";
        /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
        accuracy?: {
          n: number;
          right: number;
          wrong: number;
        };
        note: string;
        /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
        pages?: {
          judged: number;
          passed: number;
          worst?: string;
        };
        evidence: ({
            url: string;
            status?: number;
            header?: string;
            selector?: string;
            line?: number;
            excerpt?: string;
            sha256?: string;
          })[];
        reproduce: string;
        why: string;
        source: string;
        fix_id: string;
      })[];
    facts: Record<string, unknown>;
    profile: {
      name: string;
      rests_on: string[];
      given: boolean;
    };
    rubric: {
      version: string;
      sha256: string;
    };
    requests: ({
        role: string;
        url: string;
        status: (number | null);
        failure?: string;
        bytes: number;
        ms: number;
      })[];
    summary: Record<string, unknown>;
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** Schema.org JSON-LD detection: types found, FAQ schema, Organization schema */
  check_schema: {
    capability: string;
    url?: string;
    report_id: string;
    checks: ({
        id: string;
        title: string;
        status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
        value: number;
        weight: number;
        evidence_grade: "A" | "B" | "C" | "D";
        /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
        accuracy?: {
          n: number;
          right: number;
          wrong: number;
        };
        note: string;
        /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
        pages?: {
          judged: number;
          passed: number;
          worst?: string;
        };
        evidence: ({
            url: string;
            status?: number;
            header?: string;
            selector?: string;
            line?: number;
            excerpt?: string;
            sha256?: string;
          })[];
        reproduce: string;
        why: string;
        source: string;
        fix_id: string;
      })[];
    facts: Record<string, unknown>;
    profile: {
      name: string;
      rests_on: string[];
      given: boolean;
    };
    rubric: {
      version: string;
      sha256: string;
    };
    requests: ({
        role: string;
        url: string;
        status: (number | null);
        failure?: string;
        bytes: number;
        ms: number;
      })[];
    summary: Record<string, unknown>;
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** openapi.json, ai-plugin.json, x402 payment support detection */
  check_agent_files: {
    capability: string;
    url?: string;
    report_id: string;
    checks: ({
        id: string;
        title: string;
        status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
        value: number;
        weight: number;
        evidence_grade: "A" | "B" | "C" | "D";
        /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
        accuracy?: {
          n: number;
          right: number;
          wrong: number;
        };
        note: string;
        /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
        pages?: {
          judged: number;
          passed: number;
          worst?: string;
        };
        evidence: ({
            url: string;
            status?: number;
            header?: string;
            selector?: string;
            line?: number;
            excerpt?: string;
            sha256?: string;
          })[];
        reproduce: string;
        why: string;
        source: string;
        fix_id: string;
      })[];
    facts: Record<string, unknown>;
    profile: {
      name: string;
      rests_on: string[];
      given: boolean;
    };
    rubric: {
      version: string;
      sha256: string;
    };
    requests: ({
        role: string;
        url: string;
        status: (number | null);
        failure?: string;
        bytes: number;
        ms: number;
      })[];
    summary: Record<string, unknown>;
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** MCP discoverability: /.well-known/mcp.json, agent.json, MCP Server Card */
  check_mcp: {
    capability: string;
    url?: string;
    report_id: string;
    checks: ({
        id: string;
        title: string;
        status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
        value: number;
        weight: number;
        evidence_grade: "A" | "B" | "C" | "D";
        /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
        accuracy?: {
          n: number;
          right: number;
          wrong: number;
        };
        note: string;
        /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
        pages?: {
          judged: number;
          passed: number;
          worst?: string;
        };
        evidence: ({
            url: string;
            status?: number;
            header?: string;
            selector?: string;
            line?: number;
            excerpt?: string;
            sha256?: string;
          })[];
        reproduce: string;
        why: string;
        source: string;
        fix_id: string;
      })[];
    facts: Record<string, unknown>;
    profile: {
      name: string;
      rests_on: string[];
      given: boolean;
    };
    rubric: {
      version: string;
      sha256: string;
    };
    requests: ({
        role: string;
        url: string;
        status: (number | null);
        failure?: string;
        bytes: number;
        ms: number;
      })[];
    summary: Record<string, unknown>;
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** AEO (AI search visibility) score 0-100 with detailed checks */
  score_aeo: {
    capability: string;
    url?: string;
    report_id: string;
    scores: {
      aeo: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
    };
    profile: {
      name: string;
      rests_on: string[];
      given: boolean;
    };
    rubric: {
      version: string;
      sha256: string;
    };
    requests: ({
        role: string;
        url: string;
        status: (number | null);
        failure?: string;
        bytes: number;
        ms: number;
      })[];
    summary: Record<string, unknown>;
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** GEO (citation readiness) score 0-100 with detailed checks */
  score_geo: {
    capability: string;
    url?: string;
    report_id: string;
    scores: {
      geo: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
    };
    profile: {
      name: string;
      rests_on: string[];
      given: boolean;
    };
    rubric: {
      version: string;
      sha256: string;
    };
    requests: ({
        role: string;
        url: string;
        status: (number | null);
        failure?: string;
        bytes: number;
        ms: number;
      })[];
    summary: Record<string, unknown>;
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** Agent Readiness score 0-100 with detailed checks */
  score_agent: {
    capability: string;
    url?: string;
    report_id: string;
    scores: {
      agent: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
    };
    profile: {
      name: string;
      rests_on: string[];
      given: boolean;
    };
    rubric: {
      version: string;
      sha256: string;
    };
    requests: ({
        role: string;
        url: string;
        status: (number | null);
        failure?: string;
        bytes: number;
        ms: number;
      })[];
    summary: Record<string, unknown>;
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** MCP Readiness score 0-100 with detailed checks */
  score_mcp: {
    capability: string;
    url?: string;
    report_id: string;
    scores: {
      mcp: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
    };
    profile: {
      name: string;
      rests_on: string[];
      given: boolean;
    };
    rubric: {
      version: string;
      sha256: string;
    };
    requests: ({
        role: string;
        url: string;
        status: (number | null);
        failure?: string;
        bytes: number;
        ms: number;
      })[];
    summary: Record<string, unknown>;
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** All four scores, 305 checks with evidence */
  full_audit: {
    capability: string;
    url?: string;
    report_id: string;
    scores: {
      aeo: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
      geo: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
      agent: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
      mcp: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
    };
    profile: {
      name: string;
      rests_on: string[];
      given: boolean;
    };
    rubric: {
      version: string;
      sha256: string;
    };
    requests: ({
        role: string;
        url: string;
        status: (number | null);
        failure?: string;
        bytes: number;
        ms: number;
      })[];
    summary: Record<string, unknown>;
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** Ready-to-deploy llms.txt tailored to the site */
  generate_llms_txt: {
    capability: string;
    url?: string;
    report_id: string;
    files: ({
        path: string;
        media_type: string;
        content: string;
        sha256: string;
        draft?: boolean;
        facts_needed?: string[];
      })[];
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** Ready-to-deploy mcp.json and agent.json */
  generate_mcp_json: {
    capability: string;
    url?: string;
    report_id: string;
    files: ({
        path: string;
        media_type: string;
        content: string;
        sha256: string;
        draft?: boolean;
        facts_needed?: string[];
      })[];
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** Copy-paste fix instructions for every failed check */
  fix_pack: {
    capability: string;
    url?: string;
    report_id: string;
    scores: {
      aeo: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
      geo: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
      agent: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
      mcp: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
    };
    fixes: ({
        id: string;
        title: string;
        status: "fail" | "partial";
        scores: ("aeo" | "geo" | "agent" | "mcp")[];
        weight: number;
        gains: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
        points: number;
        state?: "ready" | "draft" | "work";
        file: string;
        action: "create" | "replace" | "insert" | "configure";
        instructions: string;
        content?: string;
        media_type?: string;
        diff?: string;
        configure?: Partial<Record<"nginx" | "apache" | "cloudflare" | "nextjs" | "vercel", string>>;
        effort: "minutes" | "hours" | "days";
        facts_needed: string[];
        evidence: ({
            url: string;
            status?: number;
            header?: string;
            selector?: string;
            line?: number;
            excerpt?: string;
            sha256?: string;
          })[];
        verify: {
          command: string;
          expect: string;
        };
      })[];
    promised?: {
      ready: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
      draft: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
      work: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
    };
    server_files?: ({
        path: string;
        content: string;
        checks: string[];
      })[];
    profile: {
      name: string;
      rests_on: string[];
      given: boolean;
    };
    rubric: {
      version: string;
      sha256: string;
    };
    requests: ({
        role: string;
        url: string;
        status: (number | null);
        failure?: string;
        bytes: number;
        ms: number;
      })[];
    summary: Record<string, unknown>;
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** Ready-to-run SKILL.md fix file for coding agents */
  generate_skill: {
    capability: string;
    url?: string;
    report_id: string;
    files: ({
        path: string;
        media_type: string;
        content: string;
        sha256: string;
        draft?: boolean;
        facts_needed?: string[];
      })[];
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** Gap analysis against a competitor URL: who wins each category and why */
  compare: {
    capability: string;
    url?: string;
    report_id: string;
    sites: {
      url: {
        scores: {
          aeo: {
            score: number;
            grade: "A" | "B" | "C" | "D" | "F";
            coverage: number;
            /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
            applies?: false;
            reason?: string;
            /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
            interval?: {
              low: number;
              high: number;
              pages: number;
              patterns: number;
            };
            gates: ({
                id: string;
                cap: number;
              })[];
            counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
            checks: ({
                id: string;
                title: string;
                status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
                value: number;
                weight: number;
                evidence_grade: "A" | "B" | "C" | "D";
                /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
                accuracy?: {
                  n: number;
                  right: number;
                  wrong: number;
                };
                note: string;
                /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
                pages?: {
                  judged: number;
                  passed: number;
                  worst?: string;
                };
                evidence: ({
                    url: string;
                    status?: number;
                    header?: string;
                    selector?: string;
                    line?: number;
                    excerpt?: string;
                    sha256?: string;
                  })[];
                reproduce: string;
                why: string;
                source: string;
                fix_id: string;
              })[];
          };
          geo: {
            score: number;
            grade: "A" | "B" | "C" | "D" | "F";
            coverage: number;
            /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
            applies?: false;
            reason?: string;
            /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
            interval?: {
              low: number;
              high: number;
              pages: number;
              patterns: number;
            };
            gates: ({
                id: string;
                cap: number;
              })[];
            counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
            checks: ({
                id: string;
                title: string;
                status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
                value: number;
                weight: number;
                evidence_grade: "A" | "B" | "C" | "D";
                /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
                accuracy?: {
                  n: number;
                  right: number;
                  wrong: number;
                };
                note: string;
                /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
                pages?: {
                  judged: number;
                  passed: number;
                  worst?: string;
                };
                evidence: ({
                    url: string;
                    status?: number;
                    header?: string;
                    selector?: string;
                    line?: number;
                    excerpt?: string;
                    sha256?: string;
                  })[];
                reproduce: string;
                why: string;
                source: string;
                fix_id: string;
              })[];
          };
          agent: {
            score: number;
            grade: "A" | "B" | "C" | "D" | "F";
            coverage: number;
            /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
            applies?: false;
            reason?: string;
            /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
            interval?: {
              low: number;
              high: number;
              pages: number;
              patterns: number;
            };
            gates: ({
                id: string;
                cap: number;
              })[];
            counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
            checks: ({
                id: string;
                title: string;
                status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
                value: number;
                weight: number;
                evidence_grade: "A" | "B" | "C" | "D";
                /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
                accuracy?: {
                  n: number;
                  right: number;
                  wrong: number;
                };
                note: string;
                /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
                pages?: {
                  judged: number;
                  passed: number;
                  worst?: string;
                };
                evidence: ({
                    url: string;
                    status?: number;
                    header?: string;
                    selector?: string;
                    line?: number;
                    excerpt?: string;
                    sha256?: string;
                  })[];
                reproduce: string;
                why: string;
                source: string;
                fix_id: string;
              })[];
          };
          mcp: {
            score: number;
            grade: "A" | "B" | "C" | "D" | "F";
            coverage: number;
            /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
            applies?: false;
            reason?: string;
            /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
            interval?: {
              low: number;
              high: number;
              pages: number;
              patterns: number;
            };
            gates: ({
                id: string;
                cap: number;
              })[];
            counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
            checks: ({
                id: string;
                title: string;
                status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
                value: number;
                weight: number;
                evidence_grade: "A" | "B" | "C" | "D";
                /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
                accuracy?: {
                  n: number;
                  right: number;
                  wrong: number;
                };
                note: string;
                /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
                pages?: {
                  judged: number;
                  passed: number;
                  worst?: string;
                };
                evidence: ({
                    url: string;
                    status?: number;
                    header?: string;
                    selector?: string;
                    line?: number;
                    excerpt?: string;
                    sha256?: string;
                  })[];
                reproduce: string;
                why: string;
                source: string;
                fix_id: string;
              })[];
          };
        };
        profile: {
          name: string;
          rests_on: string[];
          given: boolean;
        };
        rubric: {
          version: string;
          sha256: string;
        };
        requests: ({
            role: string;
            url: string;
            status: (number | null);
            failure?: string;
            bytes: number;
            ms: number;
          })[];
        summary: Record<string, unknown>;
      };
      competitor: {
        scores: {
          aeo: {
            score: number;
            grade: "A" | "B" | "C" | "D" | "F";
            coverage: number;
            /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
            applies?: false;
            reason?: string;
            /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
            interval?: {
              low: number;
              high: number;
              pages: number;
              patterns: number;
            };
            gates: ({
                id: string;
                cap: number;
              })[];
            counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
            checks: ({
                id: string;
                title: string;
                status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
                value: number;
                weight: number;
                evidence_grade: "A" | "B" | "C" | "D";
                /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
                accuracy?: {
                  n: number;
                  right: number;
                  wrong: number;
                };
                note: string;
                /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
                pages?: {
                  judged: number;
                  passed: number;
                  worst?: string;
                };
                evidence: ({
                    url: string;
                    status?: number;
                    header?: string;
                    selector?: string;
                    line?: number;
                    excerpt?: string;
                    sha256?: string;
                  })[];
                reproduce: string;
                why: string;
                source: string;
                fix_id: string;
              })[];
          };
          geo: {
            score: number;
            grade: "A" | "B" | "C" | "D" | "F";
            coverage: number;
            /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
            applies?: false;
            reason?: string;
            /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
            interval?: {
              low: number;
              high: number;
              pages: number;
              patterns: number;
            };
            gates: ({
                id: string;
                cap: number;
              })[];
            counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
            checks: ({
                id: string;
                title: string;
                status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
                value: number;
                weight: number;
                evidence_grade: "A" | "B" | "C" | "D";
                /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
                accuracy?: {
                  n: number;
                  right: number;
                  wrong: number;
                };
                note: string;
                /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
                pages?: {
                  judged: number;
                  passed: number;
                  worst?: string;
                };
                evidence: ({
                    url: string;
                    status?: number;
                    header?: string;
                    selector?: string;
                    line?: number;
                    excerpt?: string;
                    sha256?: string;
                  })[];
                reproduce: string;
                why: string;
                source: string;
                fix_id: string;
              })[];
          };
          agent: {
            score: number;
            grade: "A" | "B" | "C" | "D" | "F";
            coverage: number;
            /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
            applies?: false;
            reason?: string;
            /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
            interval?: {
              low: number;
              high: number;
              pages: number;
              patterns: number;
            };
            gates: ({
                id: string;
                cap: number;
              })[];
            counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
            checks: ({
                id: string;
                title: string;
                status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
                value: number;
                weight: number;
                evidence_grade: "A" | "B" | "C" | "D";
                /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
                accuracy?: {
                  n: number;
                  right: number;
                  wrong: number;
                };
                note: string;
                /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
                pages?: {
                  judged: number;
                  passed: number;
                  worst?: string;
                };
                evidence: ({
                    url: string;
                    status?: number;
                    header?: string;
                    selector?: string;
                    line?: number;
                    excerpt?: string;
                    sha256?: string;
                  })[];
                reproduce: string;
                why: string;
                source: string;
                fix_id: string;
              })[];
          };
          mcp: {
            score: number;
            grade: "A" | "B" | "C" | "D" | "F";
            coverage: number;
            /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
            applies?: false;
            reason?: string;
            /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
            interval?: {
              low: number;
              high: number;
              pages: number;
              patterns: number;
            };
            gates: ({
                id: string;
                cap: number;
              })[];
            counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
            checks: ({
                id: string;
                title: string;
                status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
                value: number;
                weight: number;
                evidence_grade: "A" | "B" | "C" | "D";
                /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
                accuracy?: {
                  n: number;
                  right: number;
                  wrong: number;
                };
                note: string;
                /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
                pages?: {
                  judged: number;
                  passed: number;
                  worst?: string;
                };
                evidence: ({
                    url: string;
                    status?: number;
                    header?: string;
                    selector?: string;
                    line?: number;
                    excerpt?: string;
                    sha256?: string;
                  })[];
                reproduce: string;
                why: string;
                source: string;
                fix_id: string;
              })[];
          };
        };
        profile: {
          name: string;
          rests_on: string[];
          given: boolean;
        };
        rubric: {
          version: string;
          sha256: string;
        };
        requests: ({
            role: string;
            url: string;
            status: (number | null);
            failure?: string;
            bytes: number;
            ms: number;
          })[];
        summary: Record<string, unknown>;
      };
    };
    categories: ({
        category: "aeo" | "geo" | "agent" | "mcp";
        title: string;
        winner: "url" | "competitor" | "tie";
        scores: {
          url: number;
          competitor: number;
        };
        coverage: {
          url: number;
          competitor: number;
        };
        applies?: {
          url: boolean;
          competitor: boolean;
        };
        difference: number;
        why: string;
        decided_by: string[];
      })[];
    gaps: ({
        id: string;
        title: string;
        ahead: "url" | "competitor";
        weight: number;
        url: {
          status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
          value: number;
          evidence: ({
              url: string;
              status?: number;
              header?: string;
              selector?: string;
              line?: number;
              excerpt?: string;
              sha256?: string;
            })[];
        };
        competitor: {
          status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
          value: number;
          evidence: ({
              url: string;
              status?: number;
              header?: string;
              selector?: string;
              line?: number;
              excerpt?: string;
              sha256?: string;
            })[];
        };
        points: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
        fix: string;
      })[];
    copy_first: ({
        check_id: string;
        title: string;
        points: number;
        fix: string;
      })[];
    summary: {
      text: string;
    };
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** Full audit, fix pack, generated llms.txt and mcp.json in one */
  full_report: {
    capability: string;
    url?: string;
    report_id: string;
    scores: {
      aeo: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
      geo: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
      agent: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
      mcp: {
        score: number;
        grade: "A" | "B" | "C" | "D" | "F";
        coverage: number;
        /** False when the site has nothing that this score is about: score and coverage are 0 then and say nothing, and `reason` says why. Absent when the score applies. */
        applies?: false;
        reason?: string;
        /** Where the score would lie, 95 times of 100, had other pages of the site been read. Absent where fewer than three patterns of addresses were read. */
        interval?: {
          low: number;
          high: number;
          pages: number;
          patterns: number;
        };
        gates: ({
            id: string;
            cap: number;
          })[];
        counts: Record<"pass" | "partial" | "fail" | "not_applicable" | "unknown", number>;
        checks: ({
            id: string;
            title: string;
            status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
            value: number;
            weight: number;
            evidence_grade: "A" | "B" | "C" | "D";
            /** Of a check that was wrong more often than one time in ten on labelled pages: how many of its verdicts were judged, and how many were right and wrong; the others were arguable. See /accuracy. */
            accuracy?: {
              n: number;
              right: number;
              wrong: number;
            };
            note: string;
            /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
            pages?: {
              judged: number;
              passed: number;
              worst?: string;
            };
            evidence: ({
                url: string;
                status?: number;
                header?: string;
                selector?: string;
                line?: number;
                excerpt?: string;
                sha256?: string;
              })[];
            reproduce: string;
            why: string;
            source: string;
            fix_id: string;
          })[];
      };
    };
    fixes: ({
        id: string;
        title: string;
        status: "fail" | "partial";
        scores: ("aeo" | "geo" | "agent" | "mcp")[];
        weight: number;
        gains: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
        points: number;
        state?: "ready" | "draft" | "work";
        file: string;
        action: "create" | "replace" | "insert" | "configure";
        instructions: string;
        content?: string;
        media_type?: string;
        diff?: string;
        configure?: Partial<Record<"nginx" | "apache" | "cloudflare" | "nextjs" | "vercel", string>>;
        effort: "minutes" | "hours" | "days";
        facts_needed: string[];
        evidence: ({
            url: string;
            status?: number;
            header?: string;
            selector?: string;
            line?: number;
            excerpt?: string;
            sha256?: string;
          })[];
        verify: {
          command: string;
          expect: string;
        };
      })[];
    promised?: {
      ready: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
      draft: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
      work: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
    };
    server_files?: ({
        path: string;
        content: string;
        checks: string[];
      })[];
    files: ({
        path: string;
        media_type: string;
        content: string;
        sha256: string;
        draft?: boolean;
        facts_needed?: string[];
      })[];
    renderings: {
      markdown: string;
      html: string;
    };
    profile: {
      name: string;
      rests_on: string[];
      given: boolean;
    };
    rubric: {
      version: string;
      sha256: string;
    };
    requests: ({
        role: string;
        url: string;
        status: (number | null);
        failure?: string;
        bytes: number;
        ms: number;
      })[];
    summary: Record<string, unknown>;
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** Brand visibility in AI answers: mention rate, share of voice, who is recommended instead */
  visibility_check: {
    capability: string;
    url?: string;
    report_id: string;
    brand: string;
    niche: string;
    run_id: string;
    degraded: boolean;
    engine: {
      kind: "openai-compatible" | "workers-ai" | "recorded" | "simulated";
      model: string;
      served_models: string[];
      simulated: boolean;
    };
    prompts: {
      set: string;
      sha256: string;
      total: number;
      valid: number;
      asked: (({
            index: number;
            id: string;
            intent: "discovery" | "recommendation" | "problem" | "comparison" | "price" | "trust";
            prompt: string;
            status: "answered";
            served_model: (string | null);
            finish_reason: "stop" | "length" | "other";
            sha256: string;
          } | {
            index: number;
            id: string;
            intent: "discovery" | "recommendation" | "problem" | "comparison" | "price" | "trust";
            prompt: string;
            status: "failed";
            reason: "timeout" | "rate_limited" | "conflict" | "unavailable" | "empty_answer" | "unauthorized" | "refused" | "filtered" | "invalid_response" | "engine_fault" | "deadline" | "not_delivered";
          }))[];
    };
    transcripts_sha256: string;
    mention_rate: {
      value: number;
      low: number;
      high: number;
      n: number;
      worst_case?: {
        low: number;
        high: number;
      };
    };
    recommendation_rate: {
      value: number;
      low: number;
      high: number;
      n: number;
    };
    share_of_voice: ({
        value: number;
        low: number;
        high: number;
        n: number;
      } | null);
    average_position: ({
        value: number;
        n: number;
      } | null);
    rivals: ({
        name: string;
        mentioned: number;
        mention_rate: {
          value: number;
          low: number;
          high: number;
          n: number;
        };
        recommended: number;
        share_of_voice: number;
      })[];
    recommended_instead: ({
        name: string;
        answers: number;
        of: number;
        quote: string;
      })[];
    intents: ({
        intent: "discovery" | "recommendation" | "problem" | "comparison" | "price" | "trust";
        label: string;
        valid: number;
        mention_rate: ({
            value: number;
            low: number;
            high: number;
            n: number;
          } | null);
        recommended: number;
        top_rival: ({
            name: string;
            mentioned: number;
          } | null);
      })[];
    weak_spots: ({
        topic: string;
        who_wins?: string;
        evidence: string;
      })[];
    notes: string[];
    ambiguity: {
      level: "low" | "high";
      case_sensitive: boolean;
      rejected: number;
    };
    sources: (({
          domain: string;
          answers: number;
        })[] | null);
    failures: {
      total: number;
      by_reason: Partial<Record<"timeout" | "rate_limited" | "conflict" | "unavailable" | "empty_answer" | "unauthorized" | "refused" | "filtered" | "invalid_response" | "engine_fault" | "deadline" | "not_delivered", number>>;
    };
    truncated: number;
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** Head-to-head visibility of two brands on the same 30 prompts: rates, share of voice, verdict */
  visibility_vs_competitor: {
    capability: string;
    url?: string;
    report_id: string;
    brand: string;
    competitor_brand: string;
    niche: string;
    run_id: string;
    degraded: boolean;
    engine: {
      kind: "openai-compatible" | "workers-ai" | "recorded" | "simulated";
      model: string;
      served_models: string[];
      simulated: boolean;
    };
    prompts: {
      set: string;
      sha256: string;
      total: number;
      valid: number;
      asked: (({
            index: number;
            id: string;
            intent: "discovery" | "recommendation" | "problem" | "comparison" | "price" | "trust";
            prompt: string;
            status: "answered";
            served_model: (string | null);
            finish_reason: "stop" | "length" | "other";
            sha256: string;
          } | {
            index: number;
            id: string;
            intent: "discovery" | "recommendation" | "problem" | "comparison" | "price" | "trust";
            prompt: string;
            status: "failed";
            reason: "timeout" | "rate_limited" | "conflict" | "unavailable" | "empty_answer" | "unauthorized" | "refused" | "filtered" | "invalid_response" | "engine_fault" | "deadline" | "not_delivered";
          }))[];
    };
    transcripts_sha256: string;
    brands: {
      brand: {
        name: string;
        mention_rate: {
          value: number;
          low: number;
          high: number;
          n: number;
          worst_case?: {
            low: number;
            high: number;
          };
        };
        recommendation_rate: {
          value: number;
          low: number;
          high: number;
          n: number;
        };
        share_of_voice: ({
            value: number;
            low: number;
            high: number;
            n: number;
          } | null);
        average_position: ({
            value: number;
            n: number;
          } | null);
        rivals: ({
            name: string;
            mentioned: number;
            mention_rate: {
              value: number;
              low: number;
              high: number;
              n: number;
            };
            recommended: number;
            share_of_voice: number;
          })[];
        recommended_instead: ({
            name: string;
            answers: number;
            of: number;
            quote: string;
          })[];
        intents: ({
            intent: "discovery" | "recommendation" | "problem" | "comparison" | "price" | "trust";
            label: string;
            valid: number;
            mention_rate: ({
                value: number;
                low: number;
                high: number;
                n: number;
              } | null);
            recommended: number;
            top_rival: ({
                name: string;
                mentioned: number;
              } | null);
          })[];
        weak_spots: ({
            topic: string;
            who_wins?: string;
            evidence: string;
          })[];
        notes: string[];
        ambiguity: {
          level: "low" | "high";
          case_sensitive: boolean;
          rejected: number;
        };
        sources: (({
              domain: string;
              answers: number;
            })[] | null);
        failures: {
          total: number;
          by_reason: Partial<Record<"timeout" | "rate_limited" | "conflict" | "unavailable" | "empty_answer" | "unauthorized" | "refused" | "filtered" | "invalid_response" | "engine_fault" | "deadline" | "not_delivered", number>>;
        };
        truncated: number;
      };
      competitor: {
        name: string;
        mention_rate: {
          value: number;
          low: number;
          high: number;
          n: number;
          worst_case?: {
            low: number;
            high: number;
          };
        };
        recommendation_rate: {
          value: number;
          low: number;
          high: number;
          n: number;
        };
        share_of_voice: ({
            value: number;
            low: number;
            high: number;
            n: number;
          } | null);
        average_position: ({
            value: number;
            n: number;
          } | null);
        rivals: ({
            name: string;
            mentioned: number;
            mention_rate: {
              value: number;
              low: number;
              high: number;
              n: number;
            };
            recommended: number;
            share_of_voice: number;
          })[];
        recommended_instead: ({
            name: string;
            answers: number;
            of: number;
            quote: string;
          })[];
        intents: ({
            intent: "discovery" | "recommendation" | "problem" | "comparison" | "price" | "trust";
            label: string;
            valid: number;
            mention_rate: ({
                value: number;
                low: number;
                high: number;
                n: number;
              } | null);
            recommended: number;
            top_rival: ({
                name: string;
                mentioned: number;
              } | null);
          })[];
        weak_spots: ({
            topic: string;
            who_wins?: string;
            evidence: string;
          })[];
        notes: string[];
        ambiguity: {
          level: "low" | "high";
          case_sensitive: boolean;
          rejected: number;
        };
        sources: (({
              domain: string;
              answers: number;
            })[] | null);
        failures: {
          total: number;
          by_reason: Partial<Record<"timeout" | "rate_limited" | "conflict" | "unavailable" | "empty_answer" | "unauthorized" | "refused" | "filtered" | "invalid_response" | "engine_fault" | "deadline" | "not_delivered", number>>;
        };
        truncated: number;
      };
    };
    verdict: "brand" | "competitor" | "too_close_to_call";
    p_value: number;
    discordant: {
      brand_only: number;
      competitor_only: number;
      both: number;
      neither: number;
    };
    smallest_visible_difference: (number | null);
    notes: string[];
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
  /** Ready-to-deploy fix materials: citable passages, FAQ JSON-LD, llms.txt sections */
  visibility_fix_pack: {
    capability: string;
    url?: string;
    report_id: string;
    brand: string;
    niche: string;
    fixes: ({
        topic: string;
        passage: string;
        faq_json_ld: string;
        faq_html: string;
        llms_txt_section: string;
        place: {
          passage: string;
          faq_json_ld: string;
          llms_txt_section: string;
        };
        facts_needed: string[];
        draft?: boolean;
        evidence?: string;
        verify: string;
      })[];
    warnings: string[];
    /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. For its buyer only; on reports with all four scores of one site. */
    publish_token?: string;
    payment: {
      method: "x402" | "transfer";
      transaction: string;
      network: "eip155:8453";
      payer: string;
      amount: string;
      amount_usd: string;
      settled_at: string;
    };
    /** The report as a page, and as JSON or Markdown by Accept */
    report_url?: string;
  };
};

export type ResultSummary = {
  view: "summary";
  capability: "check_health" | "check_llms_txt" | "check_schema" | "check_agent_files" | "check_mcp" | "score_aeo" | "score_geo" | "score_agent" | "score_mcp" | "full_audit" | "generate_llms_txt" | "generate_mcp_json" | "fix_pack" | "generate_skill" | "compare" | "full_report" | "visibility_check" | "visibility_vs_competitor" | "visibility_fix_pack";
  url?: string;
  report_id?: string;
  /** The report as a page; JSON and Markdown by Accept */
  report_url?: string;
  /** The result in one or two sentences, in our own words and numbers */
  headline: string;
  /** The scores that apply */
  scores?: Partial<Record<"aeo" | "geo" | "agent" | "mcp", {
      score: number;
      grade: "A" | "B" | "C" | "D" | "F";
      /** Share of the rubric, by weight, that could be judged: 0 to 1. At 0 the score says nothing */
      coverage: number;
    }>>;
  not_applicable?: ({
      score: "aeo" | "geo" | "agent" | "mcp";
      reason: string;
    })[];
  competitor_scores?: Partial<Record<"aeo" | "geo" | "agent" | "mcp", {
      score: number;
      grade: "A" | "B" | "C" | "D" | "F";
      /** Share of the rubric, by weight, that could be judged: 0 to 1. At 0 the score says nothing */
      coverage: number;
    }>>;
  categories?: ({
      category: "aeo" | "geo" | "agent" | "mcp";
      winner: "url" | "competitor" | "tie";
      difference: number;
    })[];
  /** Each check once, though several scores may hold it */
  counts?: {
    pass: number;
    partial: number;
    fail: number;
    not_applicable: number;
    unknown: number;
  };
  /** At most five, the best first */
  do_first: ({
      /** For the section `fixes` and the tool get_fix */
      id: string;
      title: string;
      /** Points that it adds to each score */
      gains?: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
      effort?: "minutes" | "hours" | "days";
      status?: "fail" | "partial";
      /** ready: deploy it as it is; draft: it has slots to fill in; work: it says what to do */
      state?: "ready" | "draft" | "work";
    })[];
  measurement?: {
    /** A share of answers with its 95 % interval */
    mention_rate: {
      value: number;
      low: number;
      high: number;
      n: number;
    };
    /** A share of answers with its 95 % interval */
    competitor_mention_rate?: {
      value: number;
      low: number;
      high: number;
      n: number;
    };
    verdict?: "brand" | "competitor" | "too_close_to_call";
    p_value?: number;
    rivals: number;
    /** Prompts with an answer */
    valid: number;
    total: number;
    simulated: boolean;
    degraded: boolean;
  };
  /** The first files; the section `files` has all of them, with their contents */
  files?: ({
      path: string;
      media_type: string;
      bytes: number;
      draft: boolean;
    })[];
  /** Requests of the audit, and how many of them got an answer */
  coverage?: {
    requests: number;
    answered: number;
    failed: number;
  };
  warnings: string[];
  evidence: {
    untrusted: true;
    brand?: string;
    competitor_brand?: string;
    rivals?: ({
        name: string;
        mentioned: number;
      })[];
    weak_spots?: ({
        topic: string;
        who_wins?: string;
      })[];
  };
  /** What can be read page by page */
  sections: ({
      name: string;
      /** Absent where only reading the section says it */
      count?: number;
      url?: string;
    })[];
  publish_token?: string;
  payment?: Record<string, unknown>;
};

export type ResultStandard = {
  view: "standard";
  capability: "check_health" | "check_llms_txt" | "check_schema" | "check_agent_files" | "check_mcp" | "score_aeo" | "score_geo" | "score_agent" | "score_mcp" | "full_audit" | "generate_llms_txt" | "generate_mcp_json" | "fix_pack" | "generate_skill" | "compare" | "full_report" | "visibility_check" | "visibility_vs_competitor" | "visibility_fix_pack";
  url?: string;
  report_id?: string;
  /** The report as a page; JSON and Markdown by Accept */
  report_url?: string;
  /** The result in one or two sentences, in our own words and numbers */
  headline: string;
  /** The scores that apply */
  scores?: Partial<Record<"aeo" | "geo" | "agent" | "mcp", {
      score: number;
      grade: "A" | "B" | "C" | "D" | "F";
      /** Share of the rubric, by weight, that could be judged: 0 to 1. At 0 the score says nothing */
      coverage: number;
    }>>;
  not_applicable?: ({
      score: "aeo" | "geo" | "agent" | "mcp";
      reason: string;
    })[];
  competitor_scores?: Partial<Record<"aeo" | "geo" | "agent" | "mcp", {
      score: number;
      grade: "A" | "B" | "C" | "D" | "F";
      /** Share of the rubric, by weight, that could be judged: 0 to 1. At 0 the score says nothing */
      coverage: number;
    }>>;
  categories?: ({
      category: "aeo" | "geo" | "agent" | "mcp";
      winner: "url" | "competitor" | "tie";
      difference: number;
    })[];
  /** Each check once, though several scores may hold it */
  counts?: {
    pass: number;
    partial: number;
    fail: number;
    not_applicable: number;
    unknown: number;
  };
  /** At most five, the best first */
  do_first: ({
      /** For the section `fixes` and the tool get_fix */
      id: string;
      title: string;
      /** Points that it adds to each score */
      gains?: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
      effort?: "minutes" | "hours" | "days";
      status?: "fail" | "partial";
      /** ready: deploy it as it is; draft: it has slots to fill in; work: it says what to do */
      state?: "ready" | "draft" | "work";
    })[];
  measurement?: {
    /** A share of answers with its 95 % interval */
    mention_rate: {
      value: number;
      low: number;
      high: number;
      n: number;
    };
    /** A share of answers with its 95 % interval */
    competitor_mention_rate?: {
      value: number;
      low: number;
      high: number;
      n: number;
    };
    verdict?: "brand" | "competitor" | "too_close_to_call";
    p_value?: number;
    rivals: number;
    /** Prompts with an answer */
    valid: number;
    total: number;
    simulated: boolean;
    degraded: boolean;
  };
  /** The first files; the section `files` has all of them, with their contents */
  files?: ({
      path: string;
      media_type: string;
      bytes: number;
      draft: boolean;
    })[];
  /** Requests of the audit, and how many of them got an answer */
  coverage?: {
    requests: number;
    answered: number;
    failed: number;
  };
  warnings: string[];
  evidence: {
    untrusted: true;
    brand?: string;
    competitor_brand?: string;
    rivals?: ({
        name: string;
        mentioned: number;
      })[];
    weak_spots?: ({
        topic: string;
        who_wins?: string;
      })[];
  };
  /** What can be read page by page */
  sections: ({
      name: string;
      /** Absent where only reading the section says it */
      count?: number;
      url?: string;
    })[];
  publish_token?: string;
  payment?: Record<string, unknown>;
  checks?: ({
      id: string;
      title: string;
      status: "fail" | "partial";
      scores: ("aeo" | "geo" | "agent" | "mcp")[];
      weight: number;
      note: string;
      evidence: ({
          url: string;
        })[];
      fix?: {
        effort: "minutes" | "hours" | "days";
        instructions?: string;
        gains?: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
        state?: "ready" | "draft" | "work";
        file?: string;
        action?: string;
        facts_needed?: string[];
        has_content: boolean;
      };
    })[];
  /** Open checks that are in the section `checks` only */
  checks_left_out?: number;
  facts?: Record<string, unknown>;
  gaps?: ({
      id: string;
    })[];
  /** Of a measurement: its tables, without prompts */
  brand_report?: Record<string, unknown>;
  /** The same of both brands of a comparison */
  brand_reports?: Record<string, unknown>;
  /** Fixes that belong to no check */
  fixes?: ({
      id: string;
      title: string;
    })[];
};

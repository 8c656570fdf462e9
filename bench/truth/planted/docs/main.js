window.wharf={go:function(u){location.assign(u)}};
document.querySelectorAll("[role=tab]").forEach(function(t){t.addEventListener("click",function(){document.querySelectorAll("[role=tabpanel]").forEach(function(p){p.hidden=p.id!==t.getAttribute("aria-controls")})})});

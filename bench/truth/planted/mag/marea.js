window.marea={cargar:function(n){fetch("/wp-admin/admin-ajax.php?action=mas&p="+n).then(function(r){return r.text()}).then(function(h){document.querySelector(".mas").insertAdjacentHTML("beforebegin",h)})}};
document.querySelectorAll("#aviso-cookies button").forEach(function(b){b.addEventListener("click",function(){document.getElementById("aviso-cookies").remove()})});
